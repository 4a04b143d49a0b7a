//! The business managers of WABAs: one template is in WABAs of one business manager (contract §2.1).

use std::collections::{HashMap, HashSet};

use model::Id;
use model::template::TemplateRecord;

/// The business manager of each WABA, as far as the listed templates show it.
#[derive(Clone, Debug, Default)]
pub struct Businesses(HashMap<String, String>);

impl Businesses {
    pub fn of_records<'r>(records: impl IntoIterator<Item = &'r TemplateRecord>) -> Self {
        let stated = records.into_iter().filter_map(|record| Some((record.business_id.as_ref()?, record.wabas())));
        stated
            .flat_map(|(business, wabas)| wabas.into_iter().map(move |waba| (waba, business.as_str().to_owned())))
            .collect()
    }

    /// The business manager of a WABA, if it is known.
    pub fn of(&self, waba: &str) -> Option<&str> {
        self.0.get(waba).map(String::as_str)
    }

    /// The WABAs of a business manager, in the order of their identifiers.
    pub fn wabas(&self, business: &str) -> Vec<&str> {
        let mut wabas: Vec<&str> =
            self.0.iter().filter(|(_, of)| *of == business).map(|(waba, _)| waba.as_str()).collect();
        wabas.sort_unstable();
        wabas
    }

    /// The WABAs of each request, in their order: those of one business manager together. A WABA whose business manager
    /// is unknown is taken for one of the only known business manager; where several are known, it gets its own request.
    pub(super) fn split(&self, waba_ids: Vec<Id>) -> Vec<Vec<Id>> {
        let only_one = self.0.values().collect::<HashSet<_>>().len() < 2;
        let mut requests: Vec<(Option<&String>, Vec<Id>)> = Vec::new();
        for waba in waba_ids {
            let business = self.0.get(waba.as_str());
            let same = requests.iter_mut().find(|(of, _)| only_one || (business.is_some() && *of == business));
            match same {
                Some((_, together)) => together.push(waba),
                None => requests.push((business, vec![waba])),
            }
        }
        requests.into_iter().map(|(_, waba_ids)| waba_ids).collect()
    }
}

/// From pairs of a WABA and its business manager.
impl FromIterator<(String, String)> for Businesses {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(pairs: T) -> Self {
        Self(pairs.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_business_manager_gets_one_request() {
        let pair = |waba: &str, business: &str| (waba.to_owned(), business.to_owned());
        let one = [pair("1", "a"), pair("2", "a")];
        let two = [pair("1", "a"), pair("2", "a"), pair("3", "b")];
        for (known, wabas, expected) in [
            (&one[..0], &["1", "2"][..], &["1 2"][..]),
            (&one, &["2", "1"], &["2 1"]),
            (&one, &["1", "9"], &["1 9"]),
            (&two, &["1", "3", "2"], &["1 2", "3"]),
            (&two, &["9", "1", "8"], &["9", "1", "8"]),
        ] {
            let businesses: Businesses = known.iter().cloned().collect();
            let wabas = wabas.iter().filter_map(|waba| Id::number(waba)).collect();
            let joined = |ids: Vec<Id>| ids.iter().map(Id::as_str).collect::<Vec<_>>().join(" ");
            let requests: Vec<String> = businesses.split(wabas).into_iter().map(joined).collect();
            assert_eq!(requests, expected, "{known:?}");
        }
    }
}
