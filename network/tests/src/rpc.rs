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
        Some(self.answer(method, params)?["result"].take()).filter(|result| !result.is_null())
    }

    /// The answer to a method, whether it is a result or an error; nothing if nobody answers.
    pub fn answer(self, method: &str, params: Value) -> Option<Value> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.http("POST", "/", &body.to_string())
    }

    /// What the server at this port answers, in JSON; nothing if nobody answers so.
    pub fn http(self, verb: &str, path: &str, body: &str) -> Option<Value> {
        let port = self.port;
        let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .ok()?;
        write!(
            stream,
            "{verb} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (_, body) = answer.split_once("\r\n\r\n")?;
        serde_json::from_str(body).ok()
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
