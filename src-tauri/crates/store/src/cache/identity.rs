//! Which identifiers belong to one person: numbers and user ids, as deliveries link them.
//!
//! Persons are a function of the set of links. A user id stays with those that it replaced or that replaced it; a number
//! belongs to the user id that had it last, because numbers are given to other people; and a number that replaced
//! another belongs to the same person, unless the old one was in use by another user id afterwards. Nobody is identified
//! by a name. A person is named by their current number, or by their current user id without one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::event::identity::is_number;
use rusqlite::Connection;

use super::Cache;
use crate::StoreError;
use crate::rows::{all, first, scalar, tuple};

pub(super) struct Link {
    from: String,
    to: String,
    is_change: bool,
    at: i64,
}

const LINKS: &str = "SELECT a, b, is_change, at FROM identity_link WHERE route = ?1 AND a = ?2
  UNION SELECT a, b, is_change, at FROM identity_link WHERE route = ?1 AND b = ?2";

impl Cache {
    /// All identifiers of the persons that these identifiers belong to, by the given ones; each with itself first.
    pub async fn identities(&self, route: &str, ids: Vec<String>) -> Result<HashMap<String, Vec<String>>, StoreError> {
        let route = route.to_owned();
        self.database
            .read(move |c| {
                let mut found = HashMap::new();
                for id in ids {
                    let mut known = aliases(c, &route, &person_of(c, &route, &id)?)?;
                    known.retain(|alias| *alias != id);
                    known.insert(0, id.clone());
                    found.insert(id, known);
                }
                Ok(found)
            })
            .await
    }

    /// The identifier that the person with this one is listed by.
    pub async fn person(&self, route: &str, id: &str) -> Result<String, StoreError> {
        let (route, id) = (route.to_owned(), id.to_owned());
        self.database.read(move |c| person_of(c, &route, &id)).await
    }

    /// The current username of a person.
    pub async fn username(&self, route: &str, id: &str) -> Result<Option<String>, StoreError> {
        let (route, id) = (route.to_owned(), id.to_owned());
        self.database.read(move |c| username_of(c, &route, &person_of(c, &route, &id)?)).await
    }
}

/// The identifier that contacts are listed by.
pub(super) fn person_of(c: &Connection, route: &str, id: &str) -> Result<String, StoreError> {
    let person = first(c, "SELECT person FROM identity WHERE route = ?1 AND alias = ?2", (route, id), scalar)?;
    Ok(person.unwrap_or_else(|| id.to_owned()))
}

/// The identifiers of a person, with that by which contacts are listed.
pub(super) fn aliases(c: &Connection, route: &str, person: &str) -> Result<Vec<String>, StoreError> {
    let mut aliases: Vec<String> =
        all(c, "SELECT alias FROM identity WHERE route = ?1 AND person = ?2", (route, person), scalar)?;
    if aliases.is_empty() {
        aliases.push(person.to_owned());
    }
    Ok(aliases)
}

pub(super) fn username_of(c: &Connection, route: &str, person: &str) -> Result<Option<String>, StoreError> {
    let mut names: Vec<(i64, String)> = Vec::new();
    for alias in aliases(c, route, person)? {
        names.extend(first(c, "SELECT at, name FROM username WHERE route = ?1 AND alias = ?2", (route, alias), tuple)?);
    }
    Ok(names.into_iter().max().map(|(_, name)| name))
}

/// All links that lead to an identifier, directly or not.
pub(super) fn connected(c: &Connection, route: &str, start: &str) -> Result<Vec<Link>, StoreError> {
    let mut seen = BTreeSet::from([start.to_owned()]);
    let mut open = vec![start.to_owned()];
    let mut links = BTreeMap::new();
    while let Some(id) = open.pop() {
        for (from, to, is_change, at) in all(c, LINKS, (route, &id), tuple::<(String, String, bool, i64)>)? {
            for end in [&from, &to] {
                if seen.insert(end.clone()) {
                    open.push(end.clone());
                }
            }
            links.insert((from, to, is_change), at);
        }
    }
    Ok(links.into_iter().map(|((from, to, is_change), at)| Link { from, to, is_change, at }).collect())
}

/// The person of each identifier.
pub(super) fn persons(links: &[Link]) -> BTreeMap<String, String> {
    let mut ids: Vec<&str> = links.iter().flat_map(|link| [link.from.as_str(), link.to.as_str()]).collect();
    ids.sort_unstable();
    ids.dedup();
    let place: HashMap<&str, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    // The group of each identifier.
    let mut groups: Vec<usize> = (0..ids.len()).collect();
    let mut unite = |a: &str, b: &str| {
        let (kept, gone) = (groups[place[a]], groups[place[b]]);
        groups.iter_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
    };
    // The last link of each number to a user id.
    let mut owners: HashMap<&str, (i64, &str)> = HashMap::new();
    for link in links.iter().filter(|link| !link.is_change) {
        let owner = (link.at, link.to.as_str());
        owners.entry(&link.from).and_modify(|known| *known = owner.max(*known)).or_insert(owner);
    }
    let mut current: HashMap<&str, i64> = HashMap::new();
    let mut is_current = |id, at: i64| {
        current.entry(id).and_modify(|known| *known = at.max(*known)).or_insert(at);
    };
    for (number, (at, user_id)) in &owners {
        unite(number, user_id);
        is_current(*number, *at);
        is_current(*user_id, *at);
    }
    for link in links.iter().filter(|link| link.is_change) {
        let is_reused = owners.get(link.from.as_str()).is_some_and(|(at, _)| *at > link.at);
        if !is_number(&link.from) || !is_reused {
            unite(&link.from, &link.to);
            is_current(&link.to, link.at);
        }
    }
    let mut names: BTreeMap<usize, (bool, i64, &str)> = BTreeMap::new();
    for (&id, group) in ids.iter().zip(&groups) {
        let name = (is_number(id), current.get(id).copied().unwrap_or(i64::MIN), id);
        names.entry(*group).and_modify(|known| *known = name.max(*known)).or_insert(name);
    }
    ids.iter().zip(&groups).map(|(id, group)| ((*id).to_owned(), names[group].2.to_owned())).collect()
}
