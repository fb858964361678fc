//! Calling the runtime API of pallet-revive.
//!
//! Since pallet-revive 0.20 each function has a second one with `_versioned` in its name, which takes
//! its arguments as a payload of a numbered version. Runtimes keep old versions of a payload when
//! they get new ones. The functions without a version are deprecated there, and the only ones on
//! older chains.

use scale_info::{PortableRegistry, TypeDef, form::PortableForm};
use subxt::dynamic::{DecodedValue, Value};
use subxt::metadata::types::{RuntimeApiMetadata, RuntimeApiMethodMetadata};
use subxt::utils::H256;

use crate::chain::client::Client;
use crate::chain::value;
use crate::error::Error;
use crate::failure::unexpected;
use crate::task::Task;

/// Name of the pallet's runtime API.
pub(crate) const API: &str = "ReviveApi";
/// Name of the version of payloads that this client speaks.
const VERSION: &str = "V1";

/// A function of the runtime API.
pub(crate) struct Function {
    name: String,
    form: Form,
}

/// How a function takes its arguments: their names.
enum Form {
    Plain(Vec<String>),
    Payload(Vec<String>),
}

impl Function {
    /// The function of this name, with a payload if the chain has it; none if it has none that this
    /// client can call.
    pub(crate) fn find(
        api: &RuntimeApiMetadata<'_>,
        types: &PortableRegistry,
        name: &str,
    ) -> Option<Self> {
        let versioned = format!("{name}_versioned");
        let payload = api
            .method_by_name(&versioned)
            .and_then(|method| only_input(&method))
            .and_then(|input| fields_of_payload(types, input));
        if let Some(names) = payload {
            return Some(Self {
                name: versioned,
                form: Form::Payload(names),
            });
        }
        let inputs = api.method_by_name(name)?.inputs();
        Some(Self {
            name: name.to_owned(),
            form: Form::Plain(inputs.map(|input| input.name.clone()).collect()),
        })
    }

    /// The arguments, by their names. One without a value is an option that is left out.
    fn arguments(&self, argument: impl Fn(&str) -> Option<Value>) -> Vec<Value> {
        let named = |name: &String| argument(name).unwrap_or_else(value::none);
        match &self.form {
            Form::Plain(names) => names.iter().map(named).collect(),
            Form::Payload(names) => {
                let fields = names.iter().map(|name| (name.clone(), named(name)));
                let payload = Value::named_composite(fields);
                vec![Value::unnamed_variant(VERSION, [payload])]
            }
        }
    }

    /// What a function answers, without its version.
    fn answer(&self, answer: DecodedValue) -> DecodedValue {
        match (&self.form, value::variant(&answer)) {
            (Form::Payload(_), Some((VERSION, values))) => match values.first() {
                Some(payload) => (*payload).clone(),
                None => answer,
            },
            _ => answer,
        }
    }
}

fn only_input(method: &RuntimeApiMethodMetadata<'_>) -> Option<u32> {
    let mut inputs = method.inputs();
    let input = inputs.next()?;
    inputs.next().is_none().then_some(input.ty)
}

/// The names of the fields of a payload in the version that is spoken here.
fn fields_of_payload(types: &PortableRegistry, payload: u32) -> Option<Vec<String>> {
    let TypeDef::Variant(versions) = &types.resolve(payload)?.type_def else {
        return None;
    };
    let version = versions
        .variants
        .iter()
        .find(|version| version.name == VERSION)?;
    let [inner] = &version.fields[..] else {
        return None;
    };
    let TypeDef::<PortableForm>::Composite(payload) = &types.resolve(inner.ty.id)?.type_def else {
        return None;
    };
    let fields = payload.fields.iter();
    fields.map(|field| field.name.clone()).collect()
}

impl Client {
    /// Calls a function of the runtime API with arguments by their names, on the state after a block;
    /// the best one if none is given. An argument without a value is an option that is left out.
    pub(crate) async fn runtime_api(
        &self,
        task: &Task,
        name: &str,
        at: Option<H256>,
        argument: impl Fn(&str) -> Option<Value>,
    ) -> Result<DecodedValue, Error> {
        let metadata = self.api().metadata();
        let function = metadata
            .runtime_api_trait_by_name(API)
            .and_then(|api| Function::find(&api, metadata.types(), name))
            .ok_or_else(|| Error::NotRevive {
                url: self.url().into(),
                missing: format!("runtime API {API}_{name}"),
            })?;
        let at = match at {
            Some(at) => at,
            None => self.best(task).await?,
        };
        let arguments = function.arguments(argument);
        let call = subxt::dynamic::runtime_api_call(API, &function.name, arguments);
        let answer = self
            .api()
            .runtime_api()
            .at(at)
            .call(call)
            .await
            .map_err(|error| self.failed(task, error))?;
        let answer = value::decoded(&answer).map_err(|error| unexpected(task, error))?;
        Ok(function.answer(answer))
    }
}

#[cfg(test)]
mod tests {
    use scale_info::{MetaType, Registry, TypeInfo};

    use super::*;

    /// The arguments of `upload_code_versioned` in pallet-revive 0.20.2.
    #[derive(TypeInfo)]
    #[allow(dead_code, reason = "only its description is used")]
    enum Payload {
        V1(PayloadV1),
    }

    #[derive(TypeInfo)]
    #[allow(dead_code, reason = "only its description is used")]
    struct PayloadV1 {
        origin: [u8; 32],
        code: Vec<u8>,
        storage_deposit_limit: Option<u128>,
    }

    #[derive(TypeInfo)]
    #[allow(dead_code, reason = "only its description is used")]
    enum Later {
        V2(PayloadV1),
    }

    #[test]
    fn a_payload_is_filled_by_the_names_of_its_fields() {
        let mut registry = Registry::new();
        let known = registry.register_type(&MetaType::new::<Payload>()).id;
        let later = registry.register_type(&MetaType::new::<Later>()).id;
        let other = registry.register_type(&MetaType::new::<u32>()).id;
        let types = PortableRegistry::from(registry);
        assert_eq!(fields_of_payload(&types, later), None);
        assert_eq!(fields_of_payload(&types, other), None);
        let names = fields_of_payload(&types, known).unwrap();
        assert_eq!(names, ["origin", "code", "storage_deposit_limit"]);

        let function = Function {
            name: "upload_code_versioned".into(),
            form: Form::Payload(names),
        };
        let arguments = function.arguments(|name| match name {
            "origin" => Some(Value::from_bytes([1; 32])),
            "code" => Some(Value::from_bytes([2, 3])),
            _ => None,
        });
        let payload = Value::named_composite([
            ("origin", Value::from_bytes([1; 32])),
            ("code", Value::from_bytes([2, 3])),
            ("storage_deposit_limit", value::none()),
        ]);
        assert_eq!(arguments, [Value::unnamed_variant("V1", [payload])]);

        let deposit = Value::named_composite([("deposit", Value::u128(7))]);
        let answer = Value::unnamed_variant("V1", [deposit.clone()]);
        let answer = function.answer(answer.map_context(|()| 0));
        assert_eq!(answer, deposit.map_context(|()| 0));
    }
}
