//! Words of templates: normalization, vocabulary and search.

use std::hash::{BuildHasher as _, RandomState};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use memchr::memmem::Finder;

use crate::fold::fold;

/// Minimum length, in characters, of a search for a part of a name.
const MIN_PART_CHARS: usize = 3;
/// Separates name and body, so that no phrase spans both.
const SEPARATOR: u32 = u32::MAX;
/// Maximum number of unsorted words, which are scanned one by one.
const MAX_UNSORTED: usize = 4_096;

/// The words of a folded text: sequences of letters and digits.
fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The search text, split at spaces into chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Typed {
    chunks: Vec<String>,
}

impl Typed {
    /// `None` if the text is empty.
    pub(super) fn read(typed: &str) -> Option<Self> {
        let mut chunks: Vec<String> = typed
            .split_whitespace()
            .map(|chunk| chunk.chars().filter(|c| !c.is_control()).collect::<String>())
            .filter(|chunk| !chunk.is_empty())
            .map(|chunk| fold(&chunk))
            .collect();
        let was_typed = !chunks.is_empty();
        // A repeated word has no effect.
        chunks.sort_unstable();
        chunks.dedup();
        was_typed.then_some(Self { chunks })
    }
}

/// Words by their numbers, all in one text: 100,000 templates can have 200,000 different words, and an allocation for each
/// would take several times its length.
#[derive(Debug, Default)]
struct WordList {
    text: String,
    ends: Vec<usize>,
}

impl WordList {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn word(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    fn push(&mut self, word: &str) {
        self.text.push_str(word);
        self.ends.push(self.text.len());
    }
}

/// Every word of every template, numbered.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: WordList,
    /// By the hash of the word.
    numbers: HashTable<u32>,
    hasher: RandomState,
    /// Numbers ordered by word, without the last ones added.
    sorted: Vec<u32>,
}

impl Vocabulary {
    /// The words of a template, in order.
    pub(super) fn take(&mut self, folded_name: &str, body: &str) -> Box<[u32]> {
        let body = fold(body);
        let mut numbers: Vec<u32> = words(folded_name).map(|word| self.number(word)).collect();
        numbers.push(SEPARATOR);
        numbers.extend(words(&body).map(|word| self.number(word)));
        numbers.into_boxed_slice()
    }

    fn number(&mut self, word: &str) -> u32 {
        let Self { words, numbers, hasher, .. } = self;
        let is_known = |number: &u32| words.word(*number) == word;
        match numbers.entry(hasher.hash_one(word), is_known, |number| hasher.hash_one(words.word(*number))) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let number = u32::try_from(words.len()).unwrap_or(SEPARATOR);
                words.push(word);
                new.insert(number);
                number
            }
        }
    }

    fn find(&self, word: &str) -> Option<u32> {
        self.numbers.find(self.hasher.hash_one(word), |number| self.words.word(*number) == word).copied()
    }

    /// Sorts new words in, if there are many.
    pub(super) fn sort_new(&mut self) {
        let words = &self.words;
        if words.len() - self.sorted.len() > MAX_UNSORTED {
            self.sorted = (0..words.len()).filter_map(|number| u32::try_from(number).ok()).collect();
            self.sorted.sort_unstable_by(|a, b| words.word(*a).cmp(words.word(*b)));
        }
    }

    fn with_prefix(&self, prefix: &str) -> Words {
        let mut found = Words { bits: vec![0; self.words.len().div_ceil(64)] };
        let starts = |number: &u32| self.words.word(*number).starts_with(prefix);
        let from = self.sorted.partition_point(|number| self.words.word(*number) < prefix);
        let unsorted = (self.sorted.len()..self.words.len()).filter_map(|number| u32::try_from(number).ok());
        for number in self.sorted[from..].iter().copied().take_while(starts).chain(unsorted.filter(starts)) {
            found.add(number);
        }
        found
    }

    /// Compiles a search for these words.
    pub(super) fn needle<'a>(&self, typed: &'a Typed) -> Needle<'a> {
        let (names, others): (Vec<&String>, Vec<&String>) = typed.chunks.iter().partition(|chunk| is_of_name(chunk));
        let names: Vec<Finder<'a>> = names.into_iter().map(|chunk| Finder::new(chunk.as_bytes())).collect();
        let phrases = others.iter().map(|chunk| words(chunk).collect::<Vec<_>>()).filter(|words| !words.is_empty());
        let phrases: Option<Vec<Phrase>> = phrases.map(|words| self.phrase(&words)).collect();
        let pieces: Option<Vec<Finder<'a>>> = others.iter().map(|chunk| piece(chunk)).collect();
        Needle { names, phrases: phrases.filter(|phrases| !phrases.is_empty()), pieces }
    }

    /// `None` if a word of it is in no template.
    fn phrase(&self, words: &[&str]) -> Option<Phrase> {
        let (last, whole) = words.split_last()?;
        let whole = whole.iter().map(|word| self.find(word)).collect::<Option<Vec<u32>>>()?;
        Some(Phrase { whole, last: self.with_prefix(last) })
    }
}

/// Whether a chunk can only be a part of a name: texts have no underscores between or after words.
fn is_of_name(chunk: &str) -> bool {
    chunk.contains('_') && chunk.chars().any(char::is_alphanumeric)
}

/// Chunks with letters or digits are searched inside names from three characters, other chunks always.
fn piece(chunk: &str) -> Option<Finder<'_>> {
    let usable =
        chunk.chars().count() >= MIN_PART_CHARS || (!chunk.is_empty() && !chunk.chars().any(char::is_alphanumeric));
    usable.then(|| Finder::new(chunk.as_bytes()))
}

/// A set of words.
#[derive(Debug)]
struct Words {
    bits: Vec<u64>,
}

impl Words {
    fn add(&mut self, number: u32) {
        if let Some(bits) = self.bits.get_mut(number as usize / 64) {
            *bits |= 1 << (number % 64);
        }
    }

    fn has(&self, number: u32) -> bool {
        self.bits.get(number as usize / 64).is_some_and(|bits| bits & (1 << (number % 64)) != 0)
    }
}

/// Whole words in sequence and the prefix of the next one.
#[derive(Debug)]
struct Phrase {
    whole: Vec<u32>,
    last: Words,
}

impl Phrase {
    fn is_in(&self, words: &[u32]) -> bool {
        if self.whole.is_empty() {
            return words.iter().any(|word| self.last.has(*word));
        }
        let length = self.whole.len();
        words.windows(length + 1).any(|window| window[..length] == self.whole[..] && self.last.has(window[length]))
    }
}

/// A compiled search.
#[derive(Debug)]
pub(super) struct Needle<'a> {
    /// Parts of the name, as they are.
    names: Vec<Finder<'a>>,
    /// `None` if no template can match, or there are no words.
    phrases: Option<Vec<Phrase>>,
    /// `None` if one is too short.
    pieces: Option<Vec<Finder<'a>>>,
}

impl Needle<'_> {
    /// Whether a template contains everything in the search: among its words, or inside its name.
    pub(super) fn is_in(&self, folded_name: &str, words: &[u32]) -> bool {
        let is_in_name = |piece: &Finder<'_>| piece.find(folded_name.as_bytes()).is_some();
        self.names.iter().all(is_in_name)
            && (self.phrases.as_ref().is_some_and(|phrases| phrases.iter().all(|phrase| phrase.is_in(words)))
                || self.pieces.as_ref().is_some_and(|pieces| pieces.iter().all(is_in_name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_without_case_and_diacritics() {
        for (text, folded) in [
            ("Order_42", "order_42"),
            ("Olá, ÇA VA", "ola, ca va"),
            ("cafe\u{301}", "cafe"),
            ("Straße", "straße"),
            ("İstanbul", "istanbul"),
            ("Ελλάδα", "ελλαδα"),
            ("日本", "日本"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn phrases_stay_within_name_or_body() {
        let mut vocabulary = Vocabulary::default();
        let words = vocabulary.take("order_update", "Your parcel is on its way");
        for (typed, found) in [
            ("order up", true),
            ("order_up", true),
            ("update_your", false),
            // An underscore is one of the name.
            ("your_parcel_is", false),
            ("parcel_", false),
            ("order_", true),
            ("r_", true),
            ("order_ parcel", true),
            ("order_ nothing", false),
            ("parcel_your", false),
            ("parcel your", true),
            ("on-its-w", true),
            ("der_upd", true),
            ("de", false),
            ("_", true),
            ("__", false),
            ("order order", true),
            ("order nothing", false),
        ] {
            let typed = Typed::read(typed).expect("something is typed");
            assert_eq!(vocabulary.needle(&typed).is_in("order_update", &words), found, "{typed:?}");
        }
        assert_eq!(Typed::read(" \u{0} "), None);
    }

    #[test]
    fn words_are_found_before_and_after_they_are_sorted() {
        let mut vocabulary = Vocabulary::default();
        let texts: Vec<String> = (0..6_000).map(|number| format!("w{:05}", (number * 7_919) % 6_000)).collect();
        let taken: Vec<Box<[u32]>> = texts.iter().map(|text| vocabulary.take(text, "")).collect();
        for _ in 0..2 {
            let typed = Typed::read("w0012").expect("something is typed");
            let needle = vocabulary.needle(&typed);
            let found = texts.iter().zip(&taken).filter(|(text, words)| needle.is_in(text, words)).count();
            assert_eq!(found, 10);
            vocabulary.sort_new();
            assert_eq!(vocabulary.sorted.len(), 6_000);
        }
    }
}
