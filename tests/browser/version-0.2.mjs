// What the page of version 0.2, at commit 52654ae, had kept in a browser whose guest was in its sixth turn: made by that
// page, with a host of this machine.
export const KEPT = {
  localStorage: {
    'connect4-hello':
      '{"api":2,"token":"180cfdefd5ba94fe41a167c405818f87","version":"0.2.0","host":true,"unknown_keys":[],"chain":{"name":"Connect Four Local","place":"Connect Four Local (0x81b2ba0c)","contract":"0xe47862fb5d619f698cc86ac16a44103c06284fcf","variants":"0xa93c6202fb4d67c78555d83576758b0c50822b49","symbol":"DOT","decimals":10},"public":{"genesis":"0x81b2ba0c76370424e4525e5e4a314dc92b5183c4f6a19c9bc31246741179d8f2","chain_id":420420420,"wallet_rpc":null,"relay":null,"games":"0x26d7fd0b2230ecb8418be4d0a2251081406c4a7c","matches":"0xe47862fb5d619f698cc86ac16a44103c06284fcf","fast":"0xb765f70d81742d0e7e2590de8b92be8683181d81","records":"0xd5e6129092843b2c642725c88efece3e5979fcfb","deployer":"0x9621dde636de098b43efb0fa9b61facfe328f99d","ratio":"100000000","confirmations":1},"contracts":{"version":5,"is_earlier":false,"earlier":[]},"index":true,"accounts":[],"names":{"0x203aedc6e1ee061f55ec52309d5ac8674d4e8352":"eve","0x21a8aa80a3b05b3dd74e337f9a8f5ae4a8e39f22":"ferdie","0x41dccbd49b26c50d34355ed86ff0fa9e489d1e01":"bob","0x9621dde636de098b43efb0fa9b61facfe328f99d":"alice","0xa799a942f85792ddc0028a7dd32b582e75d5e57b":"dave","0xe2235a2ffe0354b27a6a1c543be6bf2920ff2134":"charlie"},"levels":["random","easy","medium","hard","perfect"],"shape":{"standard":{"bins":7,"capacity":6,"line":4},"least":{"bins":5,"capacity":4,"line":3},"most":{"bins":25,"capacity":24,"line":6}},"terms":{"least_players":2,"most_players":4,"most_power":9,"least_limit":10,"most_limit":2592000}}',
    'connect4-chains':
      '[{"genesis":"0x81b2ba0c76370424e4525e5e4a314dc92b5183c4f6a19c9bc31246741179d8f2","chainId":420420420,"decimals":10,"symbol":"DOT","ratio":"100000000","games":"0x26d7fd0b2230ecb8418be4d0a2251081406c4a7c","matches":"0xe47862fb5d619f698cc86ac16a44103c06284fcf","fast":"0xb765f70d81742d0e7e2590de8b92be8683181d81"}]',
    'connect4-plays': '{"place":"Connect Four Local (0x81b2ba0c)","plays":{}}',
    'connect4-by-terms':
      '{"0x1f78fea6679e7ccedd3e0bb38ad51de8b10c8073b0bc667a332f0850f47316f3":{"terms":"0x0149117bbfb7ec6084642e1fb8466a4e2fd913e61aab34639583d36b6116fcc4b71798c21f09334f7849117bbfb7ec6084642e1fb8466a4e2fd913e61aab34639583d36b6116fcc4b71798c21f09334f7807060400000100000000000000000000000000006b0dcfd50a074bc80000bb508d6bf37c1bd1b4cd2a31a53be95ae6fa55cc2c96bfe9624eca244415dd6b7de67451c717f42d3a3b6f3a4c93c2a6393a3bbf18b9e04e61e1f8062e526ede1c4cc0a776aee41ea129d0eb2b11a4de7ce36420dba24eb6bc4701f1df5cbb59d104410d6e8c546ef5516820c6d326c9d62692f9a5929229a0c92d5b9d05ea9cb61b","chain_id":420420420,"contract":"0xb765f70d81742d0e7e2590de8b92be8683181d81","relay":null,"opponent":"guest 0xab34\u20264f78","key":"0x49117bbfb7ec6084642e1fb8466a4e2fd913e61a","time":1796067285,"turns":5,"over":false,"score":{"red":0,"blue":0,"draws":0},"previous":null,"agreed":false}}',
  },
  sessions: [
    {
      key: '0x49117bbfb7ec6084642e1fb8466a4e2fd913e61a',
      account: '0x49117bbfb7ec6084642e1fb8466a4e2fd913e61a',
      secret: '0x6e05ca4eb278bff7948dc8ce3fdb0dca81520bd6cb4753d9a5e5817655de14e0',
      phrase: 'express include romance unfold mosquito lawn poet click brass nature desert pitch',
      made: 1796067285593,
      books: {
        'terms/420420420/0xb765f70d81742d0e7e2590de8b92be8683181d81/0x1f78fea6679e7ccedd3e0bb38ad51de8b10c8073b0bc667a332f0850f47316f3':
          '0x6334706167650003db7eaca5de25cdd69bc6b9b86d590a8aa66d792e9cb30249682fb8b0d7f2c671002972dbbe9edf33caa08b72c97d981c7266ecaffb3d74ad68043f300820557c7f1ffdca2074113f14e473d69c94d9879e4f4fa7fd76ee880cf2c5c693dd2067161b46b2fc54060252e84a72edccc1f6f35d66759f7d25792885d13d9c275774553442b6d2b679c7e66c0cd7af99c13505b5961fc9e69b7d1567f4f1c0d10dc0d5681b1403000300040000000000004c0e9a6540762e62e12e2a817ae40002c1b468b0d460a6d4d027d2a447a1fdb4',
      },
    },
    {
      key: 'player guest',
      is: '0x49117bbfb7ec6084642e1fb8466a4e2fd913e61a',
    },
  ],
};
