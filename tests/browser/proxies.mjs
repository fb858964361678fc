// The reverse proxies of docs/hosting.md, with the files of packaging/ as they are there but for names,
// addresses and certificates.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterwards, folder } from './harness.mjs';

const { PACKAGING } = process.env;
const HERE = '127.0.0.1:4480'; // where the files have the host

/** A port that nobody listens on. */
export const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
};

/** Waits until somebody listens. */
const listens = async (port, ended) => {
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return;
  }
  throw new Error(`the proxy does not start: ${await ended}`);
};

/** Replaces each text by another one, which has to be there. */
const replaced = (text, ...pairs) => {
  let now = text;
  for (const [before, after] of pairs) {
    if (!now.includes(before)) throw new Error(`${before} is not in the file`);
    now = now.replaceAll(before, after);
  }
  return now;
};

/** Starts a program that is a proxy; ends it after the test. */
const run = async (t, port, program, args, env = {}) => {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(String(error)));
    child.once('exit', () => resolve(said));
  });
  afterwards(t, async () => {
    child.kill();
    await ended;
  });
  await listens(port, ended);
};

/** nginx with a certificate that this machine has made. */
const nginx = {
  name: 'nginx',

  /** The file with the certificate that is to be trusted. */
  async certificate(where) {
    const certificate = path.join(where, 'certificate.pem');
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
      ...['-addext', 'basicConstraints=critical,CA:FALSE', '-days', '2'],
      ...['-keyout', path.join(where, 'key.pem'), '-out', certificate],
    ]);
    return certificate;
  },

  async start(t, where, port, hosts, rooms) {
    const site = await readFile(path.join(PACKAGING, 'nginx.conf'), 'utf8');
    const plain = await freePort();
    const servers = (all) => all.map((one) => `server ${one} max_fails=0;`).join('\n');
    const file = path.join(where, 'site.conf');
    await writeFile(
      file,
      replaced(
        site,
        [
          `hash $uri consistent;\n    server ${HERE} max_fails=0;`,
          `hash $uri consistent;\n    ${servers(rooms)}`,
        ],
        [`server ${HERE} max_fails=0;`, servers(hosts)],
        ['    listen [::]:80;\n', ''],
        ['    listen [::]:443 ssl http2;\n', ''],
        ['listen 80', `listen 127.0.0.1:${plain}`],
        ['listen 443', `listen 127.0.0.1:${port}`],
        ['games.example;', 'localhost;'],
        ['/etc/letsencrypt/live/games.example/fullchain.pem', path.join(where, 'certificate.pem')],
        ['/etc/letsencrypt/live/games.example/privkey.pem', path.join(where, 'key.pem')],
      ),
    );
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const temporary = folders.map((name) => `${name}_temp_path ${where}/${name};`).join('\n');
    const all = path.join(where, 'nginx.conf');
    await writeFile(
      all,
      `daemon off;\nmaster_process off;\npid ${where}/pid;\nevents {}\n` +
        `http {\naccess_log off;\nerror_log stderr;\n${temporary}\ninclude ${file};\n}\n`,
    );
    await run(t, port, 'nginx', ['-e', 'stderr', '-c', all]);
  },
};

/** Caddy, which makes a certificate of its own. */
const caddy = {
  name: 'Caddy',

  async certificate(where) {
    return path.join(where, 'caddy/pki/authorities/local/root.crt');
  },

  async start(t, where, port, hosts, rooms) {
    const site = await readFile(path.join(PACKAGING, 'Caddyfile'), 'utf8');
    const file = path.join(where, 'Caddyfile');
    const options = [
      'admin off',
      'skip_install_trust',
      'auto_https disable_redirects',
      'local_certs',
    ];
    const written = replaced(
      site,
      ['games.example {', `https://localhost:${port} {`],
      [`@rooms ${HERE}`, `@rooms ${rooms.join(' ')}`],
      [HERE, hosts.join(' ')],
    );
    await writeFile(file, `{\n\t${options.join('\n\t')}\n}\n\n${written}`);
    const env = { XDG_DATA_HOME: where, XDG_CONFIG_HOME: where, HOME: where };
    const args = ['run', '--config', file, '--adapter', 'caddyfile'];
    await run(t, port, 'caddy', args, env);
  },
};

export const PROXIES = [nginx, caddy];

/** The key with which a host signs as a witness. */
const witnessOf = async ({ url }) => (await (await fetch(`${url}/api/hello`)).json()).witnesses[0];

/**
 * Starts hosts behind a proxy on a name of its own: `begin` starts one with these options and this environment. If they
 * have a witness, the first one is it, and has all rooms.
 */
export const behind = async (t, proxy, count, begin, { hasWitness = false } = {}) => {
  const where = await folder(t);
  const port = await freePort();
  const certificate = await proxy.certificate(where);
  const relay = ['--relay', `wss://localhost:${port}`];
  const log = hasWitness && path.join(where, 'witness');
  const start = async (options, ...listen) => {
    const trusted = ['--trust-proxy', '127.0.0.1', ...options, ...listen];
    const host = await begin({ options: trusted, env: { SSL_CERT_FILE: certificate } });
    return { ...host, options };
  };
  const hosts = [await start(log ? ['--witness-log', log] : relay)];
  const others = log ? [...relay, '--witness', await witnessOf(hosts[0])] : relay;
  while (hosts.length < count) hosts.push(await start(others));
  const addresses = hosts.map(({ port }) => `127.0.0.1:${port}`);
  await proxy.start(t, where, port, addresses, log ? addresses.slice(0, 1) : addresses);
  /** Ends a host by a signal; returns what starts it again where it was. */
  const end = async (index, signal) => {
    const { port, options } = hosts[index];
    await hosts[index].stop(signal);
    return async () => {
      hosts[index] = await start(options, '--listen', `127.0.0.1:${port}`);
    };
  };
  return {
    url: `https://localhost:${port}`,
    hosts,
    stop: (index) => end(index, 'SIGTERM'),
    kill: (index) => end(index, 'SIGKILL'),
  };
};
