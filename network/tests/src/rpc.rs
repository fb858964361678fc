//! A node's RPC, by HTTP: a question a connection.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value, json};

/// The RPC at a port of this machine.
#[derive(Clone, Copy)]
pub struct Rpc {
    pub port: u16,
}

impl Rpc {
    /// The result of a method; nothing if nobody answers, or with an error.
    pub fn ask(self, method: &str, params: Value) -> Option<Value> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let body = body.to_string();
        let port = self.port;
        let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .ok()?;
        write!(
            stream,
            "POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (_, body) = answer.split_once("\r\n\r\n")?;
        let mut answer: Value = serde_json::from_str(body).ok()?;
        Some(answer["result"].take()).filter(|result| !result.is_null())
    }

    pub fn best(self) -> Option<u64> {
        number(&self.ask("chain_getHeader", json!([]))?)
    }

    /// The number of the latest block that is final.
    pub fn last(self) -> Option<u64> {
        let hash = self.ask("chain_getFinalizedHead", json!([]))?;
        number(&self.ask("chain_getHeader", json!([hash]))?)
    }

    /// The hash of the block with a number in the best chain.
    pub fn hash(self, number: u64) -> Option<String> {
        let hash = self.ask("chain_getBlockHash", json!([number]))?;
        hash.as_str().map(str::to_owned)
    }

    /// How many other nodes it is connected with.
    pub fn peers(self) -> Option<u64> {
        self.ask("system_health", json!([]))?["peers"].as_u64()
    }
}

/// The number in a header.
fn number(header: &Value) -> Option<u64> {
    let hex = header["number"].as_str()?.strip_prefix("0x")?;
    u64::from_str_radix(hex, 16).ok()
}
