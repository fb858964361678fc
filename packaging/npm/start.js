#!/usr/bin/env node
// Starts the program for this machine. It is in a package of its own, and npm installs the one that fits the machine.

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { basename } = require('node:path');
const { name, version } = require('../package.json');

const machine = `${process.platform}-${process.arch}`;
const ending = process.platform === 'win32' ? '.exe' : '';
const program = `${name}-${machine}/bin/${basename(__filename, '.js')}${ending}`;

let path;
try {
  path = require.resolve(program);
} catch {
  console.error(
    `${name} ${version} has no program for ${machine}, or npm has not installed it: ` +
      `"npm install --include=optional" does. It can be built from its sources by cargo.`,
  );
  process.exit(1);
}

const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
// A signal that does not come from the terminal reaches this process alone.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on('error', ({ message }) => {
  console.error(`${path} does not start: ${message}`);
  process.exit(1);
});
child.on('exit', (status, signal) => {
  process.exit(signal ? 128 + constants.signals[signal] : status);
});
