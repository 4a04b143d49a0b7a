//! Open vocabularies: lists of words that the provider may extend at any time.
//!
//! Both spellings of a word occur on the wire (`MARKETING`, `marketing`), so words are compared without case and
//! written in the contract's spelling. Unknown words are kept as received.

/// Declares an enum of wire words with an `Unknown` variant that keeps any other word.
macro_rules! open_enum {
    (
        $(#[$meta:meta])*
        $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident = $word:literal ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ts_rs::TS)]
        #[ts(export_to = "model.ts", type = "string")]
        pub enum $name {
            $( $(#[$variant_meta])* $variant, )*
            /// An unknown word, as received.
            Unknown(String),
        }

        impl $name {
            /// All known words, in the spelling for the wire.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word in the spelling for the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $( Self::$variant => $word, )*
                    Self::Unknown(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                $( if word.eq_ignore_ascii_case($word) { return Self::$variant; } )*
                Self::Unknown(word.to_owned())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Ok(Self::from(word.as_ref()))
            }
        }
    };
}

/// Declares an enum of JSON objects with a `type` tag, with an `Unknown` variant that keeps any other object.
///
/// An object of a known type with unreadable fields also becomes `Unknown`, so no data is lost and the surrounding list
/// stays readable. `type` is compared without case and written as declared here.
macro_rules! tagged_objects {
    (
        $(#[$meta:meta])*
        $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident($inner:ty) = $tag:literal ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, ts_rs::TS)]
        #[ts(export_to = "model.ts", tag = "type")]
        pub enum $name {
            $( $(#[$variant_meta])* #[ts(rename = $tag)] $variant($inner), )*
            /// An object of an unknown type, or of a known type in an unreadable shape.
            #[ts(skip)]
            Unknown(crate::Object),
        }

        impl $name {
            /// All known types, in the spelling for the wire.
            pub const TYPES: &'static [&'static str] = &[$($tag),*];

            /// The `type` in the spelling for the wire; empty if an unknown object has none.
            #[must_use]
            pub fn type_name(&self) -> &str {
                match self {
                    $( Self::$variant(_) => $tag, )*
                    Self::Unknown(object) => object.get("type").and_then(serde_json::Value::as_str).unwrap_or_default(),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $( Self::$variant(inner) => crate::open::Tagged { tag: $tag, inner }.serialize(serializer), )*
                    Self::Unknown(object) => object.serialize(serializer),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let object = crate::Object::deserialize(deserializer)?;
                let tag = object.get("type").and_then(serde_json::Value::as_str).unwrap_or_default();
                $(
                    if tag.eq_ignore_ascii_case($tag) {
                        return Ok(match crate::json::read_without::<$inner>(&object, "type") {
                            Ok(inner) => Self::$variant(inner),
                            Err(_) => Self::Unknown(object),
                        });
                    }
                )*
                Ok(Self::Unknown(object))
            }
        }
    };
}

pub(crate) use open_enum;
pub(crate) use tagged_objects;

/// Writes `type` first, then the fields, as in the contract's examples.
#[derive(serde::Serialize)]
pub(crate) struct Tagged<'a, T> {
    #[serde(rename = "type")]
    pub(crate) tag: &'static str,
    #[serde(flatten)]
    pub(crate) inner: &'a T,
}

/// Reads one value or an array of values; both occur for the same fields.
pub(crate) fn one_or_many<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::Deserialize<'de>,
{
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum OneOrMany<T> {
        Many(Vec<T>),
        One(T),
    }
    use serde::Deserialize as _;
    Ok(match Option::<OneOrMany<T>>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(OneOrMany::Many(values)) => values,
        Some(OneOrMany::One(value)) => vec![value],
    })
}
