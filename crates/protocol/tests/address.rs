//! Addresses as text, and as the metadata of contracts describe them.

use connect4_protocol::{Address, AddressError};
use scale_info::TypeInfo;

#[test]
fn an_address_reads_back() {
    let mut bytes = [0; 20];
    for (byte, value) in bytes
        .iter_mut()
        .zip([0x00, 0x01, 0x10, 0x7f, 0x80, 0xfe, 0xff])
    {
        *byte = value;
    }
    let address = Address(bytes);
    let text = "0x0001107f80feff00000000000000000000000000";
    assert_eq!(address.to_string(), text);
    assert_eq!(text.parse(), Ok(address));
    assert_eq!(text.to_uppercase().replace("0X", "0x").parse(), Ok(address));
    assert_eq!(Address::ZERO.to_string(), format!("0x{}", "0".repeat(40)));
}

#[test]
fn texts_that_are_no_address() {
    let digits = "0".repeat(40);
    for text in [
        String::new(),
        "0x".into(),
        digits.clone(),
        format!("0X{digits}"),
        format!("0x{digits}0"),
        format!("0x{}", &digits[1..]),
        format!("0x{}g", &digits[1..]),
        format!("0x+{}", &digits[1..]),
        format!("0x{}é", &digits[2..]),
    ] {
        assert_eq!(text.parse::<Address>(), Err(AddressError), "{text}");
    }
    assert_eq!(
        AddressError.to_string(),
        "an address is 0x and 40 hexadecimal digits"
    );
}

#[test]
fn metadata_describe_an_address_as_other_contracts_do() {
    let described = Address::type_info();
    assert_eq!(described.path.segments, ["primitive_types", "H160"]);
}
