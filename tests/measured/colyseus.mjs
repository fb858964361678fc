// A server of Colyseus with rooms for two players and a watcher. A move goes to the two others at once, as a message; a
// synchronised state would be sent 20 times a second. Prints its port.
import { createServer } from 'node:http';
import { Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';

class Game extends Room {
  maxClients = 3;

  onCreate() {
    this.onMessage('move', (client, bin) => this.broadcast('move', bin, { except: client }));
  }
}

const server = createServer();
const transport = new WebSocketTransport({ server });
const colyseus = new Server({ transport, greet: false });
colyseus.define('game', Game);
await colyseus.listen(0, '127.0.0.1');
console.log(server.address().port);
