//! The customers of the history. Their numbers are in ranges that are reserved for fiction or not assigned.

use super::random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Portuguese,
    English,
    Spanish,
}

/// A customer.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) name: String,
    /// Digits with country code.
    pub(crate) number: String,
    pub(crate) language: Language,
}

impl Person {
    pub(crate) fn first_name(&self) -> &str {
        self.name.split(' ').next().unwrap_or_default()
    }
}

/// How many customers speak each language.
const COUNTS: [(Language, usize); 3] = [(Language::Portuguese, 270), (Language::English, 70), (Language::Spanish, 60)];

const PORTUGUESE: (&[&str], &[&str]) = (
    &[
        "Adriana",
        "Alice",
        "Amanda",
        "Beatriz",
        "Bruna",
        "Bruno",
        "Caio",
        "Camila",
        "Carla",
        "Carlos",
        "Cláudia",
        "Daniel",
        "Débora",
        "Diego",
        "Eduarda",
        "Eduardo",
        "Fabiana",
        "Felipe",
        "Fernanda",
        "Gabriel",
        "Gabriela",
        "Gustavo",
        "Helena",
        "Heloísa",
        "Isabela",
        "João",
        "Joana",
        "Juliana",
        "Larissa",
        "Letícia",
        "Luana",
        "Lucas",
        "Luiza",
        "Marcelo",
        "Mariana",
        "Mateus",
        "Natália",
        "Patrícia",
        "Paula",
        "Pedro",
        "Rafael",
        "Rafaela",
        "Renata",
        "Ricardo",
        "Rodrigo",
        "Simone",
        "Sônia",
        "Thiago",
        "Vanessa",
        "Vinícius",
        "Vitória",
    ],
    &[
        "Almeida",
        "Andrade",
        "Araújo",
        "Barbosa",
        "Barros",
        "Cardoso",
        "Carvalho",
        "Castro",
        "Correia",
        "Costa",
        "Dias",
        "Duarte",
        "Farias",
        "Ferreira",
        "Freitas",
        "Gomes",
        "Lima",
        "Lopes",
        "Machado",
        "Martins",
        "Melo",
        "Mendes",
        "Monteiro",
        "Moreira",
        "Nascimento",
        "Nogueira",
        "Oliveira",
        "Pereira",
        "Pinto",
        "Ramos",
        "Ribeiro",
        "Rocha",
        "Santana",
        "Santos",
        "Silveira",
        "Souza",
        "Teixeira",
        "Vieira",
    ],
);

const ENGLISH: (&[&str], &[&str]) = (
    &[
        "Abigail",
        "Alex",
        "Amelia",
        "Benjamin",
        "Charlotte",
        "Chloe",
        "Claire",
        "Dylan",
        "Eleanor",
        "Emily",
        "Ethan",
        "Grace",
        "Hannah",
        "Harper",
        "Henry",
        "Isla",
        "Jack",
        "Jacob",
        "James",
        "Kate",
        "Liam",
        "Lucy",
        "Mason",
        "Maya",
        "Megan",
        "Nathan",
        "Noah",
        "Olivia",
        "Owen",
        "Rachel",
        "Rebecca",
        "Ruby",
        "Samuel",
        "Sophie",
        "Thomas",
        "William",
    ],
    &[
        "Adams", "Bailey", "Bennett", "Brooks", "Carter", "Clarke", "Collins", "Cooper", "Davies", "Edwards", "Evans",
        "Foster", "Gray", "Harris", "Hughes", "Johnson", "Kelly", "Lewis", "Mitchell", "Morgan", "Parker", "Reed",
        "Roberts", "Shaw", "Taylor", "Turner", "Walker", "Ward", "Watson", "Wright",
    ],
);

const SPANISH: (&[&str], &[&str]) = (
    &[
        "Alejandra",
        "Alejandro",
        "Andrea",
        "Antonia",
        "Camilo",
        "Carmen",
        "Catalina",
        "Cristina",
        "Elena",
        "Esteban",
        "Fernando",
        "Florencia",
        "Gonzalo",
        "Ignacio",
        "Inés",
        "Javier",
        "Jimena",
        "Jorge",
        "Laura",
        "Lucía",
        "Luis",
        "Manuel",
        "Marta",
        "Martín",
        "Mercedes",
        "Nicolás",
        "Pablo",
        "Paloma",
        "Pilar",
        "Rocío",
        "Santiago",
        "Sergio",
        "Sofía",
        "Valentina",
        "Ximena",
    ],
    &[
        "Aguilar",
        "Álvarez",
        "Benítez",
        "Cabrera",
        "Castillo",
        "Delgado",
        "Domínguez",
        "Fernández",
        "Fuentes",
        "García",
        "Gómez",
        "González",
        "Gutiérrez",
        "Hernández",
        "Herrera",
        "Jiménez",
        "López",
        "Martínez",
        "Medina",
        "Molina",
        "Morales",
        "Moreno",
        "Navarro",
        "Ortega",
        "Ortiz",
        "Pérez",
        "Ramírez",
        "Reyes",
        "Romero",
        "Ruiz",
        "Sánchez",
        "Soto",
        "Torres",
        "Vargas",
        "Vega",
    ],
);

/// All customers, those of one language after the other.
pub(crate) fn people() -> Vec<Person> {
    let mut random = Random::new(0x001b_e0f1_0ae5);
    let mut people: Vec<Person> = Vec::new();
    for (language, count) in COUNTS {
        let (first, last) = match language {
            Language::Portuguese => PORTUGUESE,
            Language::English => ENGLISH,
            Language::Spanish => SPANISH,
        };
        let mut index = 0;
        while index < count {
            let name = format!("{} {}", random.pick(first), random.pick(last));
            if people.iter().any(|person| person.name == name) {
                continue;
            }
            people.push(Person { name, number: number(language, index), language });
            index += 1;
        }
    }
    people
}

/// A number that nobody has: the office code 5550 in Brazil and Mexico, 555-01 in the United States, and the numbers for
/// drama in the United Kingdom. None has one of the endings that select an outcome.
fn number(language: Language, index: usize) -> String {
    let area = |codes: &[u16]| codes[index % codes.len()];
    match language {
        Language::Portuguese => format!("55{}95550{:04}", area(&[11, 11, 21, 11, 31, 41, 19]), 1_000 + index * 7),
        Language::English if index % 5 == 4 => format!("447700900{:03}", 100 + index),
        Language::English => format!("1{}55501{:02}", area(&[212, 305, 415, 617, 718, 512]), 10 + index),
        Language::Spanish => format!("52{}5550{:04}", area(&[55, 33, 81]), 2_000 + index * 11),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::people;
    use crate::special::{self, SpecialOutcome};

    #[test]
    fn people_have_names_and_numbers_of_their_own() {
        let people = people();
        assert_eq!(people.len(), 400);
        let numbers: HashSet<&str> = people.iter().map(|person| person.number.as_str()).collect();
        let names: HashSet<&str> = people.iter().map(|person| person.name.as_str()).collect();
        assert_eq!((numbers.len(), names.len()), (400, 400));
        for number in numbers {
            assert!((11..=13).contains(&number.len()), "{number}");
            assert!(matches!(special::outcome_for(number), SpecialOutcome::Ordinary), "{number}");
        }
    }
}
