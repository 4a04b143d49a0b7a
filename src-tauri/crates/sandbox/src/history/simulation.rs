//! What became of the messages: statuses with realistic delays, failures, replies, clicks and opt-outs.

use std::collections::HashMap;

use super::calendar::{Calendar, HOUR, MINUTE, SECOND};
use super::campaigns::{ANSWERED_WITHIN, Planned};
use super::lives::LIVES;
use super::people::Person;
use super::random::Random;
use super::scripts::{Line, SCRIPTS, Script};
use super::{Click, Content, History, Inbound, Said, Sent, Stop};
use crate::seed::NUMBER;
use crate::time::Instant;

/// Permille of marketing messages that are opened, by template; 640 for the others.
const OPENED: &[(&str, usize)] = &[("daily_offer", 410), ("weekly_offer", 500), ("bouquets", 700), ("feedback", 720)];

/// Quick replies of a template with the permille of readers who tap each.
const TAPPED: &[(&str, &[(&str, usize)])] = &[
    ("visit_reminder", &[("Confirmar", 580), ("Remarcar", 80), ("Cancelar", 30)]),
    ("feedback", &[("Loved them", 230), ("They were fine", 70), ("Not so much", 25), ("Call me", 15)]),
    ("spring_sale", &[("Quero saber mais", 95), (STOP, 34)]),
    ("bouquets", &[("Quero este", 90)]),
];
/// The quick reply that unsubscribes.
const STOP: &str = "SAIR";

/// Templates with a link in a marketing message, and the permille of readers who follow it.
const FOLLOWED: &[(&str, usize)] = &[("spring_sale", 240), ("summer_offer", 210), ("bouquets", 150)];

fn share(table: &[(&str, usize)], name: &str) -> Option<usize> {
    table.iter().find(|(known, _)| *known == name).map(|(_, permille)| *permille)
}

/// Carries out the plan and the conversations. Nothing happens after `end`.
pub(crate) fn simulate(history: &mut History, mut planned: Vec<Planned>, end: Instant) {
    planned.sort_by_key(|planned| (planned.at, planned.person));
    planned.retain(|planned| planned.at < end);
    let anchor = u64::try_from(history.anchor).unwrap_or_default();
    let mut run = Run {
        random: Random::new(0x5e_11ed),
        ids: Random::new(anchor ^ 0x1d5),
        end,
        opted_out: HashMap::new(),
        history,
    };
    for planned in planned {
        run.send(planned);
    }
    run.conversations();
    run.history.sends.sort_by_key(|sent| sent.at);
}

struct Run<'h> {
    random: Random,
    /// Identifiers differ between two histories.
    ids: Random,
    end: Instant,
    /// When a customer unsubscribed from marketing.
    opted_out: HashMap<usize, Instant>,
    history: &'h mut History,
}

impl Run<'_> {
    fn send(&mut self, planned: Planned) {
        let Planned { at, person, number, template, values, category, row } = planned;
        let name = LIVES[template].name;
        let (statuses, error) = self.outcome(at, person, name, category);
        let read = statuses.iter().find(|(status, _)| *status == "read").map(|(_, at)| *at);
        let message = self.add(Sent {
            at,
            person,
            number,
            content: Content::Template { template, values },
            category,
            row,
            statuses,
            error,
            message_id: String::new(),
            tracking_id: String::new(),
        });
        let Some(read) = read else { return };
        if let Some(permille) = share(FOLLOWED, name)
            && self.random.chance(permille)
        {
            let at = read + self.random.between(3, 90) * SECOND;
            self.click(number, at);
        }
        let Some((_, replies)) = TAPPED.iter().find(|(known, _)| *known == name) else { return };
        let mut place = self.random.below(1_000);
        for (label, permille) in *replies {
            if place < *permille {
                let at = read + self.random.between(4, 600) * SECOND;
                self.say(at, person, number, Some(message), Said::Tap(label));
                if *label == STOP {
                    let stopped = at + self.random.between(20, 90) * SECOND;
                    self.stop(person, stopped);
                }
                return;
            }
            place -= permille;
        }
    }

    /// Statuses until the end, and the code of a failure.
    fn outcome(
        &mut self,
        at: Instant,
        person: usize,
        name: &str,
        category: &str,
    ) -> (Vec<(&'static str, Instant)>, Option<i64>) {
        let marketing = category == "marketing";
        let random = &mut self.random;
        let sent = at + random.between(1, 4) * SECOND;
        let failure = if marketing && self.opted_out.get(&person).is_some_and(|since| *since < at) {
            Some(131_050)
        } else if random.chance(if marketing { 37 } else { 16 }) {
            Some(match (marketing, random.below(100)) {
                (true, ..50) => 131_049,
                (true, ..62) => 130_472,
                (true, ..68) if name == "summer_offer" => 131_053,
                (_, ..88) => 131_026,
                _ => 131_000,
            })
        } else {
            None
        };
        let mut statuses = Vec::with_capacity(3);
        if let Some(code) = failure {
            let failed = sent + random.between(1, 20) * SECOND;
            if code == 131_000 {
                statuses.push(("sent", sent));
            }
            statuses.push(("failed", failed));
        } else {
            statuses.push(("sent", sent));
            if !random.chance(24) {
                let delivered = sent
                    + match random.below(100) {
                        ..82 => random.between(1, 20) * SECOND,
                        82..95 => random.between(1, 50) * MINUTE,
                        _ => random.between(1, 12) * HOUR,
                    };
                statuses.push(("delivered", delivered));
                let opened = match category {
                    "authentication" => 940,
                    "utility" => 880,
                    "service" => 985,
                    _ => share(OPENED, name).unwrap_or(640),
                };
                if random.chance(opened) {
                    let wait = match (category, random.below(100)) {
                        ("authentication", _) => random.between(3, 70) * SECOND,
                        ("service", _) => random.between(4, 150) * SECOND,
                        (_, ..35) => random.between(5, 180) * SECOND,
                        (_, ..76) => random.between(3, 60) * MINUTE,
                        _ => random.between(1, 15) * HOUR,
                    };
                    statuses.push(("read", delivered + wait));
                }
            }
        }
        statuses.retain(|(_, at)| *at < self.end);
        let error = failure.filter(|_| statuses.iter().any(|(status, _)| *status == "failed"));
        (statuses, error)
    }

    /// Adds a message with new identifiers. Returns its message identifier.
    fn add(&mut self, sent: Sent) -> String {
        let message_id = format!("wamid.{}", self.ids.uuid().replace('-', "").to_uppercase());
        let tracking_id = format!("{:016x}", self.ids.next());
        self.history.sends.push(Sent { message_id: message_id.clone(), tracking_id, ..sent });
        message_id
    }

    /// Adds a message of a customer. Returns its identifier.
    fn say(
        &mut self,
        at: Instant,
        person: usize,
        number: &'static str,
        context: Option<String>,
        said: Said,
    ) -> Option<String> {
        if at >= self.end {
            return None;
        }
        let id = format!("wamid.{}", self.ids.uuid().replace('-', "").to_uppercase());
        let file = self.ids.uuid().replace('-', "");
        self.history.inbound.push(Inbound { at, person, number, id: id.clone(), file, context, said });
        Some(id)
    }

    fn click(&mut self, number: &'static str, at: Instant) {
        if at < self.end {
            let (id, token) = (self.ids.uuid().replace('-', ""), self.ids.uuid().replace('-', ""));
            let landed = self.random.chance(560).then(|| at + self.random.between(1, 6) * SECOND);
            self.history.clicks.push(Click { at, number, id, token, landed: landed.filter(|at| *at < self.end) });
        }
    }

    fn stop(&mut self, person: usize, at: Instant) {
        if at < self.end {
            self.opted_out.insert(person, at);
            self.history.stops.push(Stop { at, person });
        }
    }

    fn conversations(&mut self) {
        let calendar = Calendar::new(self.history.anchor);
        let mut taken: Vec<usize> = Vec::new();
        for script in SCRIPTS {
            let answered = script.answers.and_then(|template| self.answered(script, template, &taken, calendar));
            let (person, at, context) = match answered {
                Some(found) => found,
                None => {
                    let person = self.anybody(script, &taken);
                    let at = match script.days {
                        0 => calendar.lately(),
                        days => calendar.busy(days, &mut self.random),
                    };
                    (person, at, None)
                }
            };
            taken.push(person);
            self.converse(script, person, at, context);
        }
        self.history.in_conversation = taken;
    }

    /// A customer who read a message of that template on the script's day or the day before, when they answered it, and
    /// the message.
    fn answered(
        &mut self,
        script: &Script,
        (name, language): (&str, &str),
        taken: &[usize],
        calendar: Calendar,
    ) -> Option<(usize, Instant, Option<String>)> {
        let days = calendar.at(script.days + 1, 0, 0)..calendar.at(script.days - 1, 0, 0);
        let mut fitting = self.history.sends.iter().filter_map(|sent| {
            let Content::Template { template, .. } = &sent.content else { return None };
            let life = &LIVES[*template];
            let (_, read) = sent.statuses.iter().find(|(status, _)| *status == "read")?;
            let fits = (life.name, life.language) == (name, language)
                && sent.number == NUMBER
                && days.contains(&sent.at)
                && read - sent.at < ANSWERED_WITHIN
                && !taken.contains(&sent.person);
            fits.then(|| (sent.person, *read, Some(sent.message_id.clone())))
        });
        let found = fitting.nth(3).or_else(|| fitting.next());
        found.map(|(person, read, message)| (person, read + self.random.between(1, 12) * MINUTE, message))
    }

    fn anybody(&mut self, script: &Script, taken: &[usize]) -> usize {
        let speaks = |person: &Person| person.language == script.language;
        let people = &self.history.people;
        let free: Vec<usize> =
            (0..people.len()).filter(|index| speaks(&people[*index]) && !taken.contains(index)).collect();
        self.random.pick(&free)
    }

    fn converse(&mut self, script: &Script, person: usize, start: Instant, context: Option<String>) {
        let (mut at, mut context) = (start, context);
        let mut last_of_shop = None;
        for (index, line) in script.lines.iter().enumerate() {
            let after_customer = index > 0 && !matches!(script.lines[index - 1], Line::Shop(_));
            if index > 0 {
                at += match line {
                    Line::Shop(_) if after_customer => self.random.between(120, 1_500) * SECOND,
                    Line::Shop(_) => self.random.between(40, 160) * SECOND,
                    _ => self.random.between(30, 700) * SECOND,
                };
            }
            if at >= self.end {
                return;
            }
            let said = match *line {
                Line::Shop(text) => {
                    let (statuses, error) = self.outcome(at, person, "", "service");
                    let sent = Sent {
                        at,
                        person,
                        number: NUMBER,
                        content: Content::Text(text),
                        category: "service",
                        row: None,
                        statuses,
                        error,
                        message_id: String::new(),
                        tracking_id: String::new(),
                    };
                    last_of_shop = Some(self.add(sent));
                    continue;
                }
                Line::Customer(text) => Said::Text(text),
                Line::Picture(caption) => Said::Picture(caption),
                Line::Document(name) => Said::Document(name),
                Line::Place(name, address) => Said::Place(name, address),
                Line::Reaction(emoji) => match last_of_shop.clone() {
                    Some(message) => Said::Reaction(emoji, message),
                    None => continue,
                },
            };
            self.say(at, person, NUMBER, context.take(), said);
        }
    }
}
