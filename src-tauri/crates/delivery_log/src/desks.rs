//! The desks that may read a log, wherever they are stored.

use crate::access::{Access, TokenHash};
use crate::error::LogError;
use crate::file::DesksFile;
use crate::postgres;

/// The desks that may read a log.
#[derive(Clone, Debug)]
pub enum Desks {
    /// In the database of the log.
    Postgres(postgres::Reader),
    /// Beside the inbox file.
    File(DesksFile),
}

impl Desks {
    /// The desk that a token was made for.
    pub async fn of_token(&self, token: &str) -> Result<Option<Access>, LogError> {
        // What cannot be a token costs no query.
        let Some(hash) = TokenHash::of_valid(token) else { return Ok(None) };
        match self {
            Self::Postgres(log) => log.desk_of(&hash).await,
            Self::File(file) => Ok(file.list().await?.into_iter().find(|desk| desk.hash == hash)),
        }
    }

    /// All desks, by name.
    pub async fn list(&self) -> Result<Vec<Access>, LogError> {
        match self {
            Self::Postgres(log) => log.desks().await,
            Self::File(file) => file.list().await,
        }
    }

    /// Lets a desk read. A former token of a desk of this name becomes invalid.
    pub async fn add(&self, desk: Access) -> Result<(), LogError> {
        match self {
            Self::Postgres(log) => log.add_desk(desk).await,
            Self::File(file) => {
                file.change(move |desks| {
                    desks.retain(|other| other.name != desk.name);
                    desks.push(desk);
                })
                .await
            }
        }
    }

    /// Makes the token of a desk invalid at once. Returns whether there was one.
    pub async fn revoke(&self, name: &str) -> Result<bool, LogError> {
        match self {
            Self::Postgres(log) => log.revoke_desk(name).await,
            Self::File(file) => {
                let name = name.to_owned();
                file.change(move |desks| {
                    let before = desks.len();
                    desks.retain(|desk| desk.name != name);
                    desks.len() < before
                })
                .await
            }
        }
    }
}
