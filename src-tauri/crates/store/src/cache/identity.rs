//! Which identifiers belong to one person: numbers and user ids, as deliveries link them.
//!
//! Persons are a function of the set of links. A user id stays with those that it replaced or that replaced it, and a
//! number with its other notations. A number belongs to the user id that had it last, because numbers are given to other
//! people; a number that replaced another belongs to the user id that had the old one at that time. Without a user id,
//! the two numbers are one person, unless the old one had a user id only afterwards. Nobody is identified by a name. A
//! person is named by their current number, or by their current user id without one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::event::identity::{IdentityLink, is_number};
use rusqlite::Connection;

use super::Cache;
use crate::StoreError;
use crate::rows::{all, first, scalar, to_json, tuple};

/// A link as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LinkKind {
    Same = 0,
    Changed = 1,
    Spelling = 2,
}

impl LinkKind {
    /// The two identifiers of a link, and its kind.
    pub(super) fn of(link: &IdentityLink) -> (&str, &str, Self) {
        match link {
            IdentityLink::Same { number, user_id } => (number, user_id, Self::Same),
            IdentityLink::Changed { previous, new } => (previous, new, Self::Changed),
            IdentityLink::Spelling { number, other } => (number, other, Self::Spelling),
        }
    }

    fn read(value: i64) -> Self {
        match value {
            1 => Self::Changed,
            2 => Self::Spelling,
            _ => Self::Same,
        }
    }
}

/// All deliveries that say the same about two identifiers.
pub(super) struct Link {
    from: String,
    to: String,
    kind: LinkKind,
    first_at: i64,
    last_at: i64,
}

const LINKS: &str = "SELECT a, b, kind, first_at, last_at FROM identity_link WHERE route = ?1 AND a = ?2
  UNION SELECT a, b, kind, first_at, last_at FROM identity_link WHERE route = ?1 AND b = ?2";

/// The other identifiers of the persons of many identifiers. Few people have any, so one statement reads them all.
const OTHER_ALIASES: &str = "SELECT asked.value, other.alias FROM (SELECT DISTINCT value FROM json_each(?2)) asked
    LEFT JOIN identity own ON own.route = ?1 AND own.alias = asked.value
    CROSS JOIN identity other ON other.route = ?1 AND other.person = coalesce(own.person, asked.value)
    WHERE other.alias <> asked.value";

impl Cache {
    /// All identifiers of the persons that these identifiers belong to, by the given ones; each with itself first.
    pub async fn identities(&self, route: &str, ids: Vec<String>) -> Result<HashMap<String, Vec<String>>, StoreError> {
        let key = (route.to_owned(), to_json(&ids)?);
        let others: Vec<(String, String)> = self.database.read(move |c| all(c, OTHER_ALIASES, key, tuple)).await?;
        let mut found: HashMap<String, Vec<String>> = ids.into_iter().map(|id| (id.clone(), vec![id])).collect();
        for (id, alias) in others {
            found.entry(id).or_default().push(alias);
        }
        Ok(found)
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
    last_name(c, route, person, NameKind::Username)
}

/// The name that a person went by last.
pub(super) fn name_of(c: &Connection, route: &str, person: &str) -> Result<Option<String>, StoreError> {
    last_name(c, route, person, NameKind::Profile)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    Profile = 0,
    Username = 1,
}

fn last_name(c: &Connection, route: &str, person: &str, kind: NameKind) -> Result<Option<String>, StoreError> {
    let sql = "SELECT at, name FROM person_name WHERE route = ?1 AND alias = ?2 AND is_username = ?3";
    let mut names: Vec<(i64, String)> = Vec::new();
    for alias in aliases(c, route, person)? {
        names.extend(first(c, sql, (route, alias, kind as i64), tuple)?);
    }
    Ok(names.into_iter().max().map(|(_, name)| name))
}

/// Records a name that came with an identifier. Returns whether it is the last one.
pub(super) fn record_name(
    c: &Connection,
    route: &str,
    alias: &str,
    kind: NameKind,
    (name, at): (&str, i64),
) -> Result<bool, StoreError> {
    let written = c
        .prepare_cached(
            "INSERT INTO person_name (route, alias, is_username, name, at) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO UPDATE SET at = excluded.at, name = excluded.name
               WHERE (excluded.at, excluded.name) > (at, name)",
        )?
        .execute((route, alias, kind as i64, name, at))?;
    Ok(written > 0)
}

/// All links that lead to an identifier, directly or not.
pub(super) fn connected(c: &Connection, route: &str, start: &str) -> Result<Vec<Link>, StoreError> {
    let mut seen = BTreeSet::from([start.to_owned()]);
    let mut open = vec![start.to_owned()];
    let mut links = BTreeMap::new();
    while let Some(id) = open.pop() {
        let found: Vec<(String, String, i64, i64, i64)> = all(c, LINKS, (route, &id), tuple)?;
        for (from, to, kind, first_at, last_at) in found {
            for end in [&from, &to] {
                if seen.insert(end.clone()) {
                    open.push(end.clone());
                }
            }
            links.insert((from, to, LinkKind::read(kind)), (first_at, last_at));
        }
    }
    let link = |((from, to, kind), (first_at, last_at))| Link { from, to, kind, first_at, last_at };
    Ok(links.into_iter().map(link).collect())
}

/// Sets of identifiers, each named by its first one.
struct Groups<'a> {
    ids: Vec<&'a str>,
    group: Vec<usize>,
}

impl<'a> Groups<'a> {
    fn new(links: &'a [Link]) -> Self {
        let mut ids: Vec<&str> = links.iter().flat_map(|link| [link.from.as_str(), link.to.as_str()]).collect();
        ids.sort_unstable();
        ids.dedup();
        let group = (0..ids.len()).collect();
        Self { ids, group }
    }

    fn of(&self, id: &str) -> usize {
        self.ids.binary_search(&id).map_or(usize::MAX, |place| self.group[place])
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (kept, gone) = (self.group[a].min(self.group[b]), self.group[a].max(self.group[b]));
        self.group.iter_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
    }
}

/// A user id that has a number.
struct Owner {
    group: usize,
    first_at: i64,
    last_at: i64,
}

/// The owners of numbers.
#[derive(Default)]
struct Owners(BTreeMap<usize, Vec<Owner>>);

impl Owners {
    fn add(&mut self, number: usize, group: usize, first_at: i64, last_at: i64) {
        let owners = self.0.entry(number).or_default();
        match owners.iter_mut().find(|owner| owner.group == group) {
            Some(owner) => {
                owner.first_at = first_at.min(owner.first_at);
                owner.last_at = last_at.max(owner.last_at);
            }
            None => owners.push(Owner { group, first_at, last_at }),
        }
    }

    fn of(&self, number: usize) -> &[Owner] {
        self.0.get(&number).map(Vec::as_slice).unwrap_or_default()
    }

    fn current(&self, number: usize) -> Option<&Owner> {
        self.of(number).iter().max_by_key(|owner| (owner.last_at, owner.group))
    }

    /// Who had a number at an instant.
    fn at(&self, number: usize, at: i64) -> Option<&Owner> {
        self.of(number).iter().filter(|owner| owner.first_at <= at).max_by_key(|owner| (owner.first_at, owner.group))
    }
}

/// The person of each identifier.
pub(super) fn persons(links: &[Link]) -> BTreeMap<String, String> {
    let mut groups = Groups::new(links);
    for link in links {
        if link.kind == LinkKind::Spelling || (link.kind == LinkKind::Changed && !is_number(&link.from)) {
            groups.unite(groups.of(&link.from), groups.of(&link.to));
        }
    }
    // From here on, a group of numbers is one number, and a group of user ids one user.
    let mut owners = Owners::default();
    for link in links.iter().filter(|link| link.kind == LinkKind::Same) {
        owners.add(groups.of(&link.from), groups.of(&link.to), link.first_at, link.last_at);
    }
    let mut changes: Vec<&Link> =
        links.iter().filter(|link| link.kind == LinkKind::Changed && is_number(&link.from)).collect();
    changes.sort_by_key(|link| (link.last_at, &link.from, &link.to));
    let mut one_person = Vec::new();
    for link in changes {
        let (from, to) = (groups.of(&link.from), groups.of(&link.to));
        match owners.at(from, link.last_at).map(|owner| owner.group) {
            Some(owner) => owners.add(to, owner, link.last_at, link.last_at),
            // A later owner is somebody else.
            None if owners.current(from).is_some() => {}
            None => one_person.push((from, to)),
        }
    }
    let numbers: Vec<usize> = owners.0.keys().copied().collect();
    one_person.extend(numbers.iter().filter_map(|&number| Some((number, owners.current(number)?.group))));
    for (a, b) in one_person {
        groups.unite(a, b);
    }
    names(links, &groups)
}

fn later<'a>(known: &mut HashMap<&'a str, i64>, id: &'a str, at: i64) {
    known.entry(id).and_modify(|known| *known = at.max(*known)).or_insert(at);
}

/// The identifier that names the person of each identifier.
fn names(links: &[Link], groups: &Groups<'_>) -> BTreeMap<String, String> {
    // When each identifier was in use last, and when it was replaced.
    let mut current: HashMap<&str, i64> = HashMap::new();
    let mut replaced: HashMap<&str, i64> = HashMap::new();
    for link in links.iter().filter(|link| groups.of(&link.from) == groups.of(&link.to)) {
        match link.kind {
            LinkKind::Same => {
                later(&mut current, &link.from, link.last_at);
                later(&mut current, &link.to, link.last_at);
            }
            LinkKind::Changed => {
                later(&mut replaced, &link.from, link.last_at);
                later(&mut current, &link.to, link.last_at);
            }
            LinkKind::Spelling => later(&mut current, &link.from, link.last_at),
        }
    }
    let came_back = |id: &str, replaced_at: i64| {
        links.iter().any(|link| link.kind == LinkKind::Changed && link.to == id && link.last_at > replaced_at)
    };
    let mut names = BTreeMap::new();
    for (&id, group) in groups.ids.iter().zip(&groups.group) {
        let is_replaced = replaced.get(id).is_some_and(|at| !came_back(id, *at));
        let at = current.get(id).copied().unwrap_or(i64::MIN);
        let name = (is_number(id), Reverse(is_replaced), at, id);
        names.entry(*group).and_modify(|known| *known = name.max(*known)).or_insert(name);
    }
    groups.ids.iter().zip(&groups.group).map(|(id, group)| ((*id).to_owned(), names[group].3.to_owned())).collect()
}
