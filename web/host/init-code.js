// Keccak-256 of what the contracts of the games and of the variants are deployed with: their code of artifacts/, and the
// input of their constructors. Of the contract of the stakes the hash is begun, as the chain's first block is part of it: the state
// after the last whole block, and the bytes after that.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser deployed_with`
// writes it again.

export const INIT_CODES = {
	games: '0x8f344fb01d9a9911fd37b0e1d562af4661d0fbf90766069a306bb9e87b7df1b9',
	variants: '0x9e345ae83a8b88ae454949a5fb6f4ba3fa4cea46b9080e5d6ec24c464053d04d',
	stakes:
		'0x3969d745460d008d3ade6572bddedae7242b6d8db918cdb84a1df6dc6963a3dcf853550419582dc324cab64c197c1d85e3fd5fb902884d17498857a1431723eaf1d1e9d52217bed9f35aae3b5a13dadff7d0c710911078e30ee2bb6298ca77b0e1b453c2282d992d7f1ae3e3996890aaba60fb0fc96a349140e1177fd8f45eae06bcfe3c741bdaa7388bf30b83d8bb85f337e62b048bc274b573785356ee8f284f355588268fb923a18ce4a27d9544e431a75345b32be3ba6adfc09c88e27864d8867dcfd96440cfa5949492a44a4a2a29898888284944111155549528499424009bae9d5e',
};
