//! Which column fills which part: guessed for a file, and kept with the batch.

use std::collections::BTreeMap;

use command_types::batch::{BatchId, BatchSource, RunState, ValueSource, ValueTransform};
use command_types::batch_mapping::{BatchMapping, FileColumns, GuessColumns};
use command_types::error::DeskError;
use command_types::recipients::SaveRecipient;
use model::outcome_group::OutcomeGroup;

use super::provider::Reply;
use super::{Desk, NUMBER, TEMPLATE, file, recipient, request, round};

async fn mapping(desk: &Desk, batch: &str) -> Option<BatchMapping> {
    desk.core.messaging.get_batch_mapping(BatchId { batch: batch.to_owned() }).await.unwrap()
}

#[tokio::test]
async fn columns_are_guessed_by_the_names_of_the_file_and_of_the_parts() {
    let desk = Desk::start().await;
    let read = desk.core.messaging.read_csv(&file(desk.folder.path(), "Número,Nome,2")).await.unwrap();
    let guess = |file: &str| {
        let request =
            GuessColumns { workspace: desk.workspace.clone(), reference: TEMPLATE.to_owned(), file: file.to_owned() };
        desk.core.messaging.guess_columns(request)
    };
    let found = guess(&read.id).await.unwrap();
    assert_eq!((found.to.as_deref(), found.name.as_deref()), (Some("Número"), Some("Nome")));
    assert_eq!(found.parts.into_iter().collect::<Vec<_>>(), [("body.2".to_owned(), "2".to_owned())]);
    assert!(matches!(guess("gone").await, Err(DeskError::NotFound { .. })));
    desk.close().await;
}

#[tokio::test]
async fn a_batch_keeps_its_mapping_and_further_rounds_have_it_too() {
    let mut desk = Desk::start().await;
    let capped = Reply::Status("400 Bad Request", "", round::CAPPED);
    desk.provider.answers(move |_, to| if to == recipient(5) { capped.clone() } else { Reply::Accepted });
    let read = desk.core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    let mut request = request(&desk.workspace, TEMPLATE, NUMBER, &read);
    request.country = Some("BR".to_owned());
    let BatchSource::Csv { values, .. } = &mut request.source else { unreachable!("a file") };
    values.insert(
        "body.1".to_owned(),
        ValueSource::Column {
            column: "nome".to_owned(),
            fallback: Some("cliente".to_owned()),
            transform: Some(ValueTransform::TitleCase),
        },
    );
    values.insert("body.2".to_owned(), ValueSource::Fixed { value: "hoje".to_owned() });
    let (to, name) = ("numero".to_owned(), Some("nome".to_owned()));
    let chosen = BatchMapping {
        file: Some(FileColumns { has_header: true, to, name }),
        country: Some("BR".to_owned()),
        values: values.clone(),
    };
    let plan = desk.core.messaging.plan_batch(request).await.unwrap();
    assert_eq!(mapping(&desk, &plan.id).await.as_ref(), Some(&chosen), "planned");
    round::start(&desk, &plan.id).await.unwrap();
    assert_eq!(desk.wait_until_ended(&plan.id).await.state, RunState::Done);
    let further = round::plan(&desk, &plan.id, OutcomeGroup::Capped).await.unwrap();
    assert_eq!(mapping(&desk, &further.id).await, Some(chosen));
    desk.close().await;
}

#[tokio::test]
async fn the_mapping_of_a_batch_to_the_address_book_has_no_file() {
    let desk = Desk::start().await;
    let read = desk.core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    let mut request = request(&desk.workspace, TEMPLATE, NUMBER, &read);
    let person = SaveRecipient {
        workspace: desk.workspace.clone(),
        name: "Ana".to_owned(),
        number: "+55 11 98765-4321".to_owned(),
        ..SaveRecipient::default()
    };
    let person = desk.core.messaging.save_recipient(person).await.unwrap();
    let values: BTreeMap<_, _> = [
        ("body.1", ValueSource::Column { column: "name".to_owned(), fallback: None, transform: None }),
        ("body.2", ValueSource::Fixed { value: "hoje".to_owned() }),
    ]
    .map(|(part, source)| (part.to_owned(), source))
    .into();
    request.source = BatchSource::Recipients { ids: vec![person.id], values: values.clone() };
    let plan = desk.core.messaging.plan_batch(request).await.unwrap();
    assert_eq!(mapping(&desk, &plan.id).await, Some(BatchMapping { file: None, country: None, values }));
    desk.close().await;
}
