//! The review board by status and by account, beside the lists of templates.

use app::SANDBOX_ID;
use command_types::template::{ReviewBoardQuery, TemplateQuery, TemplateSort};

use super::super::harness::Harness;
use super::{add, page, query, refresh};

#[tokio::test]
async fn the_review_board_counts_match_the_lists() {
    let harness = Harness::start().await;
    let core = &harness.core;
    add(&harness, 400).await;
    refresh(core, SANDBOX_ID).await;
    let asked = TemplateQuery { categories: vec!["utility".to_owned()], limit: 20, ..query(SANDBOX_ID) };
    let board = core.templates.get_review_board(asked.clone().into()).await.unwrap();
    let columns: Vec<_> = board.columns.iter().map(|column| column.status.as_str()).collect();
    assert_eq!(columns[..5], ["PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED"]);
    assert_eq!(columns.last(), Some(&"ARCHIVED"));
    let mut counted = 0;
    for column in &board.columns {
        let archived = column.status == "ARCHIVED";
        let statuses = if archived { Vec::new() } else { vec![column.status.clone()] };
        let sort = TemplateSort::Newest;
        let list = page(core, TemplateQuery { statuses, archived: Some(archived), sort, ..asked.clone() }).await;
        assert_eq!((column.count, &column.rows), (list.total, &list.rows), "{}", column.status);
        counted += column.count;
    }
    let whole = page(core, asked.clone()).await;
    assert_eq!((counted, board.as_of), (whole.total, whole.as_of));
    assert!(board.columns.iter().any(|column| column.count > 20 && column.rows.len() == 20));
    assert_eq!(board.facets.archived, whole.facets.archived);

    // By account, a template of several is in each of their columns.
    let by_account = ReviewBoardQuery { query: asked.clone(), by_account: Some(true) };
    let board = core.templates.get_review_board(by_account).await.unwrap();
    let (archived, accounts) = board.columns.split_last().unwrap();
    assert_eq!((archived.status.as_str(), &archived.waba), ("ARCHIVED", &None));
    assert!(!accounts.is_empty() && accounts.iter().any(|column| column.count > 0));
    for column in accounts {
        let wabas: Vec<_> = column.waba.iter().cloned().collect();
        let sort = TemplateSort::Newest;
        let list = page(core, TemplateQuery { wabas, archived: Some(false), sort, ..asked.clone() }).await;
        assert_eq!((column.count, &column.rows), (list.total, &list.rows), "{:?}", column.waba);
    }
    harness.close().await;
}
