//! Metadata as a node that lies has them.

use codec::{Compact, Decode as _, Encode as _};
use frame_metadata::v15;
pub use frame_metadata::v16::RuntimeMetadataV16 as Format16;
use frame_metadata::v16::TransactionExtensionMetadata;
use frame_metadata::{META_RESERVED, RuntimeMetadata, RuntimeMetadataPrefixed};

use crate::counting::Counting;

/// Metadata in the format that clients ask for.
pub type Metadata = frame_metadata::v15::RuntimeMetadataV15;

/// Metadata from their bytes; none in another format.
pub fn decode(bytes: &[u8]) -> Option<Metadata> {
    let prefixed = RuntimeMetadataPrefixed::decode(&mut &bytes[..]).expect("metadata");
    match prefixed.1 {
        RuntimeMetadata::V15(metadata) => Some(metadata),
        _ => None,
    }
}

pub fn encode(metadata: Metadata) -> Vec<u8> {
    RuntimeMetadataPrefixed(META_RESERVED, RuntimeMetadata::V15(metadata)).encode()
}

/// Where the events of a block are in the state: the hashes of `System` and `Events`.
const EVENTS: &str = "0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7";

/// An answer of a node with other bytes in it.
fn with_bytes(answer: &str, change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>) -> Option<String> {
    let (start, rest) = answer.split_once("\"0x")?;
    let (digits, end) = rest.split_once('"')?;
    let bytes = hex::encode(change(hex::decode(digits).ok()?)?);
    Some(format!("{start}\"0x{bytes}\"{end}"))
}

fn lies(change: impl Fn(&mut Metadata)) -> impl Fn(&str, &str) -> Option<String> {
    move |request, answer| {
        request
            .contains("Metadata_metadata_at_version")
            .then_some(())?;
        with_bytes(answer, |bytes| {
            let mut metadata = decode(&Option::<Vec<u8>>::decode(&mut &bytes[..]).ok()??)?;
            change(&mut metadata);
            Some(Some(encode(metadata)).encode())
        })
    }
}

/// Has a node report changed metadata.
pub fn lie(node: &Counting, change: impl Fn(&mut Metadata) + Send + Sync + 'static) {
    node.twist(lies(change));
}

/// Has a node report changed metadata, and no events, which could not be read by them.
pub fn lie_without_events(node: &Counting, change: impl Fn(&mut Metadata) + Send + Sync + 'static) {
    let lie = lies(change);
    node.twist(move |request, answer| {
        let no_events = || {
            request.contains(EVENTS).then_some(())?;
            with_bytes(answer, |_| Some(Vec::<()>::new().encode()))
        };
        lie(request, answer).or_else(no_events)
    });
}

/// Has calls of the contracts' pallet be the transfer of all that an account has: pallet and call have its numbers.
pub fn transfer_all(metadata: &mut Metadata) {
    let [revive, balances] = ["Revive", "Balances"].map(|name| {
        let found = metadata
            .pallets
            .iter()
            .position(|pallet| pallet.name == name);
        found.expect("a pallet of this name")
    });
    let index = metadata.pallets[balances].index;
    metadata.pallets[balances].index = metadata.pallets[revive].index;
    metadata.pallets[revive].index = index;
    let calls = metadata.pallets[revive]
        .calls
        .as_ref()
        .expect("calls")
        .ty
        .id;
    let found = &mut metadata.types.types[calls as usize].ty.type_def;
    if let scale_info::TypeDef::Variant(calls) = found {
        for call in &mut calls.variants {
            match call.name.as_str() {
                "call" => call.index = 4,
                "upload_code" => call.index = 1,
                _ => {}
            }
        }
    }
}

pub fn set_constant(metadata: &mut Metadata, pallet: &str, name: &str, value: impl codec::Encode) {
    let mut pallets = metadata.pallets.iter_mut();
    let pallet = pallets.find(|one| one.name == pallet).expect("a pallet");
    let constant = pallet.constants.iter_mut().find(|one| one.name == name);
    constant.expect("a constant").value = value.encode();
}

pub fn constant<T: codec::Decode>(metadata: &Metadata, pallet: &str, name: &str) -> T {
    let mut pallets = metadata.pallets.iter();
    let pallet = pallets.find(|one| one.name == pallet).expect("a pallet");
    let constant = pallet
        .constants
        .iter()
        .find(|one| one.name == name)
        .expect("a constant");
    T::decode(&mut &constant.value[..]).expect("of this type")
}

/// Metadata in format 16 from their bytes.
pub fn decode_16(bytes: &[u8]) -> Format16 {
    let prefixed = RuntimeMetadataPrefixed::decode(&mut &bytes[..]).expect("metadata");
    match prefixed.1 {
        RuntimeMetadata::V16(metadata) => metadata,
        _ => panic!("another format"),
    }
}

/// The bytes of metadata in format 16.
pub fn encode_16(metadata: Format16) -> Vec<u8> {
    RuntimeMetadataPrefixed(META_RESERVED, RuntimeMetadata::V16(metadata)).encode()
}

/// Adds a second version of the transactions' extensions, as Polkadot Hub has one since September 2026: it begins with an
/// extension that nobody knows and that is not empty, here of the type of an account.
pub fn add_second_version(metadata: &mut Format16, account: u32) {
    let extrinsic = &mut metadata.extrinsic;
    let first = extrinsic.transaction_extensions_by_version[&0].clone();
    let number = u32::try_from(extrinsic.transaction_extensions.len()).expect("few");
    let mut unknown: TransactionExtensionMetadata<_> = extrinsic.transaction_extensions[0].clone();
    unknown.identifier = "AsNobodyKnows".into();
    unknown.ty.id = account;
    extrinsic.transaction_extensions.push(unknown);
    let second = [&[Compact(number)][..], &first].concat();
    extrinsic
        .transaction_extensions_by_version
        .insert(1, second);
}

/// The same metadata as the runtime gives them in format 15, which has only version 0 of the extensions.
pub fn as_format_15(metadata: &Format16) -> Metadata {
    let extrinsic = &metadata.extrinsic;
    let extensions = extrinsic.transaction_extensions_by_version[&0].iter();
    let signed_extensions = extensions.map(|Compact(number)| {
        let extension = &extrinsic.transaction_extensions[*number as usize];
        v15::SignedExtensionMetadata {
            identifier: extension.identifier.clone(),
            ty: extension.ty,
            additional_signed: extension.implicit,
        }
    });
    let pallets = metadata.pallets.iter().map(|pallet| v15::PalletMetadata {
        name: pallet.name.clone(),
        storage: pallet
            .storage
            .as_ref()
            .map(|storage| v15::PalletStorageMetadata {
                prefix: storage.prefix.clone(),
                entries: storage
                    .entries
                    .iter()
                    .map(|entry| v15::StorageEntryMetadata {
                        name: entry.name.clone(),
                        modifier: entry.modifier.clone(),
                        ty: entry.ty.clone(),
                        default: entry.default.clone(),
                        docs: entry.docs.clone(),
                    })
                    .collect(),
            }),
        calls: pallet
            .calls
            .as_ref()
            .map(|calls| v15::PalletCallMetadata { ty: calls.ty }),
        event: pallet
            .event
            .as_ref()
            .map(|event| v15::PalletEventMetadata { ty: event.ty }),
        constants: pallet
            .constants
            .iter()
            .map(|constant| v15::PalletConstantMetadata {
                name: constant.name.clone(),
                ty: constant.ty,
                value: constant.value.clone(),
                docs: constant.docs.clone(),
            })
            .collect(),
        error: pallet
            .error
            .as_ref()
            .map(|error| v15::PalletErrorMetadata { ty: error.ty }),
        index: pallet.index,
        docs: pallet.docs.clone(),
    });
    let apis = metadata.apis.iter().map(|api| v15::RuntimeApiMetadata {
        name: api.name.clone(),
        methods: api
            .methods
            .iter()
            .map(|method| v15::RuntimeApiMethodMetadata {
                name: method.name.clone(),
                inputs: method
                    .inputs
                    .iter()
                    .map(|input| v15::RuntimeApiMethodParamMetadata {
                        name: input.name.clone(),
                        ty: input.ty,
                    })
                    .collect(),
                output: method.output,
                docs: method.docs.clone(),
            })
            .collect(),
        docs: api.docs.clone(),
    });
    Metadata {
        types: metadata.types.clone(),
        extrinsic: v15::ExtrinsicMetadata {
            version: 4,
            address_ty: extrinsic.address_ty,
            call_ty: extrinsic.call_ty,
            signature_ty: extrinsic.signature_ty,
            extra_ty: extrinsic.call_ty,
            signed_extensions: signed_extensions.collect(),
        },
        ty: metadata.outer_enums.call_enum_ty,
        pallets: pallets.collect(),
        apis: apis.collect(),
        outer_enums: v15::OuterEnums {
            call_enum_ty: metadata.outer_enums.call_enum_ty,
            event_enum_ty: metadata.outer_enums.event_enum_ty,
            error_enum_ty: metadata.outer_enums.error_enum_ty,
        },
        custom: v15::CustomMetadata {
            map: Default::default(),
        },
    }
}
