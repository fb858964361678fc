//! The lines of `--json` as a JSON Schema, made of the same declarations as the help.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The schema of a line, as text: one of these types, of which each is written in TypeScript.
pub fn schema(lines: &[&str], types: &BTreeMap<String, String>) -> String {
    let types = types.iter().filter(|(_, declared)| !declared.is_empty());
    let types = types.map(|(name, declared)| format!("    {}: {}", json!(name), of_type(declared)));
    let types: Vec<String> = types.collect();
    let lines: Vec<Value> = lines.iter().map(|name| named(name)).collect();
    format!(
        "{{\n  \"$schema\": {},\n  \"title\": {},\n  \"anyOf\": {},\n  \"$defs\": {{\n{}\n  }}\n}}\n",
        json!("https://json-schema.org/draft/2020-12/schema"),
        json!("a line of connect4 --json"),
        json!(lines),
        types.join(",\n")
    )
}

fn named(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn of_type(declared: &str) -> Value {
    let mut reader = Reader {
        tokens: tokens(declared),
        at: 0,
    };
    let schema = reader.union();
    assert_eq!(reader.peek(), None, "{declared}");
    schema
}

/// Names, texts in quotes, and marks.
fn tokens(declared: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = declared.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' => 2 + rest[1..].find('"').expect("a closing quote"),
            _ if is_of_name(first) => rest.find(|next| !is_of_name(next)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        tokens.push(rest[..len].into());
        rest = rest[len..].trim_start();
    }
    tokens
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Reads a type of TypeScript, as far as the declarations use the language.
struct Reader {
    tokens: Vec<String>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn next(&mut self) -> String {
        let next = self.tokens.get(self.at).expect("a token").clone();
        self.at += 1;
        next
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_there = self.peek() == Some(token);
        self.at += usize::from(is_there);
        is_there
    }

    fn expects(&mut self, token: &str) {
        let next = self.next();
        assert_eq!(next, token, "{:?}", self.tokens);
    }

    fn union(&mut self) -> Value {
        self.takes("|");
        let mut all = vec![self.intersection()];
        while self.takes("|") {
            all.push(self.intersection());
        }
        if let [one] = &all[..] {
            return one.clone();
        }
        let values: Option<Vec<Value>> = all
            .iter()
            .map(|of| match of["type"] == "null" {
                true => Some(Value::Null),
                false => of.get("const").cloned(),
            })
            .collect();
        match values {
            Some(values) => json!({"enum": values}),
            None => json!({"anyOf": all}),
        }
    }

    fn intersection(&mut self) -> Value {
        let mut all = vec![self.single()];
        while self.takes("&") {
            all.push(self.single());
        }
        match &all[..] {
            [one] => one.clone(),
            _ => json!({"allOf": all}),
        }
    }

    fn single(&mut self) -> Value {
        let token = self.next();
        match token.as_str() {
            "{" => self.object(),
            "(" => {
                let inner = self.union();
                self.expects(")");
                inner
            }
            "Array" => {
                self.expects("<");
                let items = self.union();
                self.expects(">");
                json!({"type": "array", "items": items})
            }
            "null" | "number" | "boolean" | "string" => json!({"type": token}),
            text if text.starts_with('"') => json!({"const": text.trim_matches('"')}),
            name => {
                assert!(name.chars().all(is_of_name), "{name} in {:?}", self.tokens);
                named(name)
            }
        }
    }

    /// The fields up to the brace. Others may be there: a later version can have more.
    fn object(&mut self) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        while !self.takes("}") {
            let name = self.next().trim_matches('"').to_owned();
            if !self.takes("?") {
                required.push(name.clone());
            }
            self.expects(":");
            properties.insert(name, self.union());
            self.takes(",");
        }
        json!({"type": "object", "properties": properties, "required": required})
    }
}
