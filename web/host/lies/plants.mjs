// Checks of the page that are left out, to see that each is missed.

const PREPARED = 'host/prepared.js';

/**
 * What stands in a file of the page, and what in place of it, by the name of what is not looked at any more. `seed`
 * is that of a visit in which it is missed.
 */
export const PLANTS = {
	contract: {
		seed: 6,
		file: PREPARED,
		from: 'if (contract.toLowerCase() !== wanted) throw differs(texts.differsContract);',
		to: '',
	},
	value: {
		seed: 339,
		file: PREPARED,
		from: 'if (BigInt(value) !== payment) throw differs(texts.differsPayment);',
		to: '',
	},
	input: {
		seed: 2,
		file: PREPARED,
		from: 'if (input !== call.input) throw differs(texts.differsCall);',
		to: '',
	},
	'kind of the call': {
		seed: 6,
		file: PREPARED,
		from: "if (unsigned.maps !== 'map_account' in does) throw differs(texts.differsCall);",
		to: '',
	},
	pallet: { seed: 140, file: PREPARED, from: '!(await isPallet(payload))', to: 'false' },
	weight: {
		seed: 25,
		file: PREPARED,
		from: '!isModerate',
		to: 'false',
	},
	deposit: {
		seed: 14,
		file: PREPARED,
		from: 'limit > expected(prepared) ? limit : null',
		to: 'null',
	},
	gas: {
		seed: 57,
		file: PREPARED,
		from: 'gas < 0n || gas * BigInt(price) > 2n * shown',
		to: 'false',
	},
	era: {
		seed: 6,
		file: PREPARED,
		from: 'phaseOf(era) !== Number(blockNumber) % MORTALITY',
		to: 'false',
	},
	chain: { seed: 10, file: PREPARED, from: 'genesisHash !== session.chain?.genesis', to: 'false' },
	branch: {
		seed: 118,
		file: PREPARED,
		from: 'answers && !isBasedOn(payload, answers)',
		to: 'false',
	},
	'order of what is signed': {
		seed: 2,
		file: PREPARED,
		from: 'genesis, method, extensions, metadata_hash',
		to: "genesis, method, extensions: ['CheckSpecVersion', 'CheckTxVersion', 'CheckGenesis', 'CheckMortality', 'CheckNonce', 'ChargeTransactionPayment'], metadata_hash",
	},
	'hash of the metadata': {
		seed: 2,
		file: PREPARED,
		from: "metadataHash !== null && !/^0x[0-9a-f]{64}$/.test(metadataHash ?? '')",
		to: 'false',
	},
	'kind of the wallet': {
		seed: 22,
		file: PREPARED,
		from: 'isEthereum === Boolean(unsigned)',
		to: 'false',
	},
	'other fields': {
		seed: 4,
		file: PREPARED,
		from: 'unsigned: { ...unsigned, payload }',
		to: 'unsigned: { ...unsigned, payload: { ...unsigned.payload, ...payload } }',
	},
	'signatures before': {
		seed: 5,
		file: 'host/signed.js',
		from: 'if (one.nonce !== nonce || one.ethereum) open.push({ ...one, fate });',
		to: '',
	},
	'a failure that the host tells': {
		seed: 5,
		file: 'host/send.js',
		from: 'if (outcome.failed) return keepSigned({ ...signature, after: 0, hasFailed: true });',
		to: 'if (outcome.failed) return dropSigned(signature, signature.nonce);',
	},
	units: {
		seed: 20,
		file: 'host/pins.js',
		from: 'BigInt(now.ratio) * 10n ** BigInt(now.decimals) !== TOKEN',
		to: 'false',
	},
	'what was found of the chain before': {
		seed: 37,
		file: 'host/pins.js',
		from: 'const text = before.map((pin) => differences(pin, now)).find((words) => words);',
		to: "const text = '';",
	},
	'the player’s word': {
		seed: 1,
		file: 'host/send.js',
		from: 'if (asks && !(await',
		to: 'if (false && !(await',
	},
	'what a wallet of Ethereum is asked for is on disk': {
		seed: 3,
		file: 'host/ethereum.js',
		from: "await signed('', 0, nonce);",
		to: "signed('', 0, nonce).catch(() => {});",
	},
	'what a Polkadot wallet is asked for is on disk': {
		seed: 1,
		file: 'host/substrate.js',
		from: "await signed('', base);",
		to: "signed('', base).catch(() => {});",
	},
	'what was found of the chain is on disk': {
		seed: 1,
		file: 'host/pins.js',
		from: 'if (!before.length || isNew) await accept();',
		to: '',
	},
};
