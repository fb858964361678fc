// The network of `hardhat node` as it comes.
export default {};
