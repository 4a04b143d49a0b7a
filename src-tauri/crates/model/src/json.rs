//! Deserialises a type from parsed JSON without losing digits of numbers.
//!
//! `serde_json::from_value` passes numbers beyond 64 bits as `u128` and `-0` as `0`. Types that keep unknown fields
//! buffer their input, and that buffer doesn't support `u128`. This module passes such numbers as text.

use serde::Deserialize;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde_json::{Error, Number, Value};

use crate::Object;

/// Reads a type from a value like `serde_json::from_value`, but numbers keep all digits.
pub fn read<'a, T: Deserialize<'a>>(value: &'a Value) -> serde_json::Result<T> {
    T::deserialize(Exact(value))
}

/// Reads a type from an object, ignoring the field `without`.
pub(crate) fn read_without<'a, T: Deserialize<'a>>(object: &'a Object, without: &str) -> serde_json::Result<T> {
    let fields = object.iter().filter(|(name, _)| *name != without);
    T::deserialize(MapDeserializer::new(fields.map(|(name, value)| (name.as_str(), Exact(value)))))
}

/// Deserialiser of a value.
#[derive(Clone, Copy)]
struct Exact<'de>(&'de Value);

impl<'de> IntoDeserializer<'de, Error> for Exact<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Exact<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(*flag),
            Value::Number(number) => visit_number(number, visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.iter().map(Exact))),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.as_str(), Exact(value)));
                visitor.visit_map(MapDeserializer::new(fields))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_f32(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_f64(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A 64-bit integer as such; any other number by its text, which keeps all digits.
fn visit_number<'a, V: Visitor<'a>>(number: &'a Number, visitor: V) -> Result<V::Value, Error> {
    match (number.as_u64(), number.as_i64()) {
        (Some(number), _) => visitor.visit_u64(number),
        // `-0` is not an integer.
        (_, Some(number)) if number != 0 => visitor.visit_i64(number),
        _ => serde_json::Deserializer::from_str(number.as_str()).deserialize_any(visitor),
    }
}
