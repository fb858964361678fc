// The contracts that the page calls.

/** Addresses of the contracts by their kind. @type {Record<string, string | null>} */
let contracts = {};

/** @param {Record<string, string | null>} addresses */
export const useContracts = (addresses) => {
	contracts = addresses;
};

/** Address of one of the contracts. @param {string} kind */
export const contractOf = (kind) => contracts[kind] ?? null;
