//! Search with typed text: no input is a syntax error, and short words match as prefixes.

use store::Cache;
use store::cache::TemplateFilter;

use crate::{asked, template};

async fn cache(dir: &tempfile::TempDir) -> Cache {
    let cache = Cache::open(&dir.path().join("cache.sqlite"));
    let templates = [
        ("order_confirmation_v2", "Olá {{1}}, seu pedido está a caminho"),
        ("abandoned_cart", "Você esqueceu algo: 50% OFF!"),
        ("carting_away", "Nothing to see"),
        ("promo", "Straße, naïve cafe\u{301}, ÇA VA"),
        ("xx", "AND OR NOT NEAR"),
    ];
    let templates = templates
        .into_iter()
        .map(|(name, body)| {
            let mut template = template(name, name, "pt_BR", "APPROVED");
            body.clone_into(&mut template.row.body_text);
            template
        })
        .collect();
    cache.replace_listing("w", templates, asked(1)).await.unwrap();
    cache
}

async fn find(cache: &Cache, typed: &str) -> Vec<String> {
    let filter = TemplateFilter {
        workspace_id: "w".to_owned(),
        search: Some(typed.to_owned()),
        sort: store::cache::TemplateSort::Name,
        limit: 100,
        ..TemplateFilter::default()
    };
    cache.templates(filter).await.unwrap().rows.into_iter().map(|row| row.name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn words_are_found_by_prefix() {
    let dir = tempfile::tempdir().unwrap();
    let cache = cache(&dir).await;
    let everything = ["abandoned_cart", "carting_away", "order_confirmation_v2", "promo", "xx"];
    let cases: &[(&str, &[&str])] = &[
        ("", &everything),
        ("  ", &everything),
        // One and two characters.
        ("o", &["abandoned_cart", "order_confirmation_v2", "xx"]),
        ("or", &["order_confirmation_v2", "xx"]),
        ("v2", &["order_confirmation_v2"]),
        ("2", &[]),
        ("x", &["xx"]),
        // Names are split at underscores, and found as a whole.
        ("order_confirmation_v2", &["order_confirmation_v2"]),
        ("order_conf", &["order_confirmation_v2"]),
        ("order conf", &["order_confirmation_v2"]),
        ("conf order", &["order_confirmation_v2"]),
        ("ORDER Conf", &["order_confirmation_v2"]),
        // Parts of the name, from three characters.
        ("cart", &["abandoned_cart", "carting_away"]),
        ("arting", &["carting_away"]),
        ("er_co", &["order_confirmation_v2"]),
        // An underscore is one of the name: no text says "seu_pedido".
        ("order_", &["order_confirmation_v2"]),
        ("seu_pedido", &[]),
        ("order_ pedido", &["order_confirmation_v2"]),
        ("firm rder", &["order_confirmation_v2"]),
        ("rt", &[]),
        // Diacritics in either direction.
        ("ola", &["order_confirmation_v2"]),
        ("olá", &["order_confirmation_v2"]),
        ("voce", &["abandoned_cart"]),
        ("café", &["promo"]),
        ("cafe\u{301}", &["promo"]),
        ("naive", &["promo"]),
        ("ça va", &["promo"]),
        ("stra", &["promo"]),
        // Several words, across name and body.
        ("order pedido", &["order_confirmation_v2"]),
        ("order algo", &[]),
    ];
    for (typed, expected) in cases {
        assert_eq!(find(&cache, typed).await, *expected, "{typed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_typed_is_a_syntax_error() {
    let dir = tempfile::tempdir().unwrap();
    let cache = cache(&dir).await;
    let cases: &[(&str, &[&str])] = &[
        ("AND", &["abandoned_cart", "xx"]),
        ("NOT", &["carting_away", "xx"]),
        ("NEAR", &["xx"]),
        ("OR NOT", &["xx"]),
        ("\"", &[]),
        ("order\"", &["order_confirmation_v2"]),
        ("\"order", &["order_confirmation_v2"]),
        ("'", &[]),
        ("*", &[]),
        ("(", &[]),
        ("order *", &["order_confirmation_v2"]),
        ("name:order", &[]),
        ("-order", &["order_confirmation_v2"]),
        ("^order", &["order_confirmation_v2"]),
        ("order + -", &["order_confirmation_v2"]),
        ("{{1}}", &["order_confirmation_v2"]),
        ("50% OFF", &["abandoned_cart"]),
        ("50%", &["abandoned_cart"]),
        ("%", &[]),
        ("_", &["abandoned_cart", "carting_away", "order_confirmation_v2"]),
        ("___", &[]),
        ("!!!", &[]),
        ("\u{0}order\u{0}", &["order_confirmation_v2"]),
        ("\u{1F600}", &[]),
        // A letter according to Unicode that occurs in no text.
        ("\u{24B6}", &[]),
        ("order \u{24B6}", &[]),
        ("\\", &[]),
    ];
    for (typed, expected) in cases {
        assert_eq!(find(&cache, typed).await, *expected, "{typed:?}");
    }
    let long = "order ".repeat(5_000);
    assert_eq!(find(&cache, &long).await, ["order_confirmation_v2"]);
}

#[test]
fn any_text_is_a_valid_search() {
    let dir = tempfile::tempdir().unwrap();
    let runtime = crate::runtime();
    let cache = runtime.block_on(cache(&dir));
    let config = proptest::test_runner::Config { cases: 300, failure_persistence: None, ..Default::default() };
    proptest::proptest!(config, |(typed in "\\PC{0,12}|[\"'()*^:+{}\\- aor_]{0,12}")| {
        runtime.block_on(find(&cache, &typed));
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn the_index_is_updated_with_changes() {
    let dir = tempfile::tempdir().unwrap();
    let cache = cache(&dir).await;
    let mut changed = template("promo", "promo", "pt_BR", "APPROVED");
    changed.row.body_text = "Entirely different".to_owned();
    changed.row.asked = asked(2);
    cache.upsert_template(changed).await.unwrap();
    assert!(find(&cache, "straße").await.is_empty());
    assert_eq!(find(&cache, "entirely").await, ["promo"]);
    cache.remove_template("w", "promo").await.unwrap();
    assert!(find(&cache, "entirely").await.is_empty());
    assert!(find(&cache, "promo").await.is_empty());
    assert!(cache.is_sound().await.unwrap());
}
