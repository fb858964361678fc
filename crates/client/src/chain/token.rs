//! The chain's token, and amounts of it.

/// The chain's token.
///
/// Amounts are in the token's smallest unit, unless they are said to be in the unit of contracts,
/// which is finer on most chains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Symbol of the token, as `DOT`.
    pub symbol: String,
    /// Number of decimals: one token is ten to the power of this many of the smallest unit.
    pub decimals: u32,
    /// Number of units of contracts in one smallest unit; at least 1.
    pub ratio: u128,
    /// Whether a deposit for storage comes back whole to who signs the call that removes the storage. Else nobody gets
    /// back more than they have paid for that contract.
    pub returns_deposits: bool,
}

impl Token {
    /// A deposit for storage as text: `deposit 0.0034 DOT`, or `deposit back 0.0034 DOT` for a negative amount; none
    /// for nothing.
    #[must_use]
    pub fn deposit(&self, deposit: i128) -> Option<String> {
        let amount = self.amount(deposit.unsigned_abs());
        match deposit {
            0 => None,
            held if held > 0 => Some(format!("deposit {amount}")),
            _ if self.returns_deposits => Some(format!("deposit back {amount}")),
            _ => Some(format!(
                "deposit back up to {amount}: what you paid of it yourself"
            )),
        }
    }

    /// An amount in the smallest unit as text, in tokens: `0.0123 DOT`.
    #[must_use]
    pub fn amount(&self, amount: u128) -> String {
        let unit = 10_u128.saturating_pow(self.decimals);
        let whole = amount / unit;
        let fraction = format!("{:0width$}", amount % unit, width = self.decimals as usize);
        let fraction = fraction.trim_end_matches('0');
        if fraction.is_empty() || self.decimals == 0 {
            format!("{whole} {}", self.symbol)
        } else {
            format!("{whole}.{fraction} {}", self.symbol)
        }
    }

    /// Reads an amount in tokens, as `0.0123`, with or without the symbol, and returns it in the
    /// smallest unit.
    ///
    /// # Errors
    ///
    /// [`AmountError`] if the text is no such number, has more decimals than the token, or exceeds a
    /// `u128`.
    pub fn parse(&self, text: &str) -> Result<u128, AmountError> {
        let error = || AmountError {
            text: text.into(),
            decimals: self.decimals,
        };
        let number = text.trim();
        let number = number
            .strip_suffix(&self.symbol)
            .unwrap_or(number)
            .trim_end();
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let width = self.decimals as usize;
        if (whole.is_empty() && fraction.is_empty())
            || !digits(whole)
            || !digits(fraction)
            || fraction.len() > width
        {
            return Err(error());
        }
        format!("{whole}{fraction:0<width$}")
            .parse()
            .map_err(|_| error())
    }

    /// An amount in the unit of contracts, in the smallest unit: rounded down.
    #[must_use]
    pub const fn in_smallest_unit(&self, amount: u128) -> u128 {
        match amount.checked_div(self.ratio) {
            Some(amount) => amount,
            None => amount,
        }
    }

    /// An amount in the smallest unit, in the unit of contracts.
    #[must_use]
    pub const fn in_unit_of_contracts(&self, amount: u128) -> u128 {
        amount.saturating_mul(self.ratio)
    }

    /// An amount in the unit of contracts as text, in tokens: `0.5 DOT`.
    #[must_use]
    pub fn contract_amount(&self, amount: u128) -> String {
        self.amount(self.in_smallest_unit(amount))
    }

    /// The payment, in the smallest unit, by which a contract sees exactly this amount; none if
    /// there is no such payment.
    #[must_use]
    pub const fn payment(&self, amount: u128) -> Option<u128> {
        if amount.is_multiple_of(self.ratio) {
            Some(self.in_smallest_unit(amount))
        } else {
            None
        }
    }
}

/// Text that is no amount of the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not an amount: give tokens such as 2 or 0.5, with at most {decimals} decimals"
)]
pub struct AmountError {
    text: String,
    decimals: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(symbol: &str, decimals: u32) -> Token {
        Token {
            symbol: symbol.into(),
            decimals,
            ratio: 100,
            returns_deposits: true,
        }
    }

    #[test]
    fn amounts_are_written_in_tokens() {
        let dot = token("DOT", 10);
        for (amount, text) in [
            (0, "0 DOT"),
            (1, "0.0000000001 DOT"),
            (10_000_000_000, "1 DOT"),
            (12_345_000_000, "1.2345 DOT"),
            (u128::MAX, "34028236692093846346337460743.1768211455 DOT"),
        ] {
            assert_eq!(dot.amount(amount), text);
        }
        assert_eq!(token("UNIT", 0).amount(10), "10 UNIT");
    }

    #[test]
    fn amounts_are_read_in_tokens() {
        let dot = token("DOT", 10);
        for (text, amount) in [
            ("1", Some(10_000_000_000)),
            ("0.5", Some(5_000_000_000)),
            (".5 DOT", Some(5_000_000_000)),
            ("1.0000000001", Some(10_000_000_001)),
            ("0", Some(0)),
            ("1.00000000001", None),
            ("-1", None),
            ("1,5", None),
            ("", None),
            (".", None),
            ("1e3", None),
            ("99999999999999999999999999999999", None),
        ] {
            assert_eq!(dot.parse(text).ok(), amount, "{text}");
        }
    }

    #[test]
    fn contracts_count_in_finer_units() {
        let dot = token("DOT", 2);
        assert_eq!(dot.in_smallest_unit(12_399), 123);
        assert_eq!(dot.contract_amount(12_399), "1.23 DOT");
        assert_eq!(dot.payment(12_300), Some(123));
        assert_eq!(dot.payment(12_399), None);
        assert_eq!(dot.in_unit_of_contracts(123), 12_300);
    }
}
