//! Whether lines of `--json` keep to their schema.

use connect4_wire::JSON_SCHEMA;
use serde_json::Value;

/// The schema, as far as it uses the language of schemas.
pub struct Schema(Value);

impl Schema {
    pub fn read() -> Self {
        Self(serde_json::from_str(JSON_SCHEMA).expect("JSON"))
    }

    pub fn has(&self, line: &Value) -> bool {
        self.fits(&self.0, line)
    }

    fn fits(&self, schema: &Value, value: &Value) -> bool {
        let rules = schema.as_object().expect("a schema");
        rules.iter().all(|(name, rule)| match name.as_str() {
            "$schema" | "$defs" | "title" => true,
            "$ref" => {
                let of = rule.as_str().and_then(|of| of.strip_prefix("#/$defs/"));
                self.fits(&self.0["$defs"][of.expect("a type")], value)
            }
            "anyOf" => list(rule).iter().any(|one| self.fits(one, value)),
            "allOf" => list(rule).iter().all(|one| self.fits(one, value)),
            "enum" => list(rule).contains(value),
            "const" => rule == value,
            "type" => match rule.as_str() {
                Some("object") => value.is_object(),
                Some("array") => value.is_array(),
                Some("string") => value.is_string(),
                Some("number") => value.is_number(),
                Some("boolean") => value.is_boolean(),
                Some("null") => value.is_null(),
                other => panic!("{other:?}"),
            },
            "items" => list(value).iter().all(|item| self.fits(rule, item)),
            "properties" => {
                let fields = rule.as_object().expect("fields");
                let mut known = fields
                    .iter()
                    .filter_map(|(name, rule)| Some((rule, value.get(name)?)));
                known.all(|(rule, field)| self.fits(rule, field))
            }
            "required" => list(rule)
                .iter()
                .all(|name| value.get(name.as_str().expect("a name")).is_some()),
            other => panic!("{other}"),
        })
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
