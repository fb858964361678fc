// A host that lies at random, for as many visits: `node web/host/lies/run.mjs [SEED] [VISITS] [FAULT] [RATE]`. Prints a
// line of JSON; with one visit all that was told in it. FAULT is the name of a check that is left out of the page.

import { register } from 'node:module';

register('./modules.mjs', import.meta.url);
// What a page does not catch stands in its browser's log.
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});

const { PLANTS } = await import('./plants.mjs');
const { visit } = await import('./visit.mjs');

const [seed = '1', visits = '1', fault = '', rate] = process.argv.slice(2);
const first = Number(seed);
const sum = { visits: 0, lies: 0, signed: 0, ends: {}, fault: null };
for (let at = 0; at < Number(visits) && !sum.fault; at += 1) {
	const { told, lies, signed, faults, ends } = await visit({
		seed: first + at,
		plant: PLANTS[fault] ?? null,
		rate: rate ? Number(rate) : undefined,
	});
	sum.visits += 1;
	sum.lies += lies;
	sum.signed += signed;
	for (const [name, end] of Object.entries(ends)) {
		sum.ends[name] ??= {};
		const what = end === 'done' || end === 'nothing' ? end : 'refused';
		sum.ends[name][what] = (sum.ends[name][what] ?? 0) + 1;
	}
	if (faults.length) sum.fault = { seed: first + at, faults, told: told.slice(-40) };
	if (Number(visits) === 1) Object.assign(sum, { told, ends });
}
process.stdout.write(`${JSON.stringify(sum)}\n`, () => process.exit(0));
