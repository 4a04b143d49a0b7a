//! The starters in Portuguese (Brazil).

use super::Action::{Code, Link, Reply};
use super::{Content, StarterName};

/// The texts of a starter; `None` if WhatsApp writes its text.
pub(super) fn content(name: StarterName) -> Option<Content> {
    Some(match name {
        StarterName::Welcome => Content {
            body: "Oi, {{1}}! Que bom ter você na nossa loja. Por aqui você recebe notícias dos seus pedidos e fala \
                   com a nossa equipe.\n\nO que você quer fazer primeiro?",
            samples: &["Ana"],
            footer: "Responda SAIR para não receber mais",
            buttons: &[Reply("Ver as novidades"), Reply("Falar com a equipe")],
            ..Content::default()
        },
        StarterName::SeasonalSale => Content {
            header: "Chegou a {{1}} da loja",
            header_sample: "liquidação de verão",
            body: "Oi, {{1}}! De hoje até {{2}}, toda a loja on-line está com *{{3}} de desconto*.\n\n\
                   Aproveite logo: as melhores peças acabam primeiro.",
            samples: &["Ana", "31 de janeiro", "20%"],
            footer: "Responda SAIR para não receber mais",
            buttons: &[Link("Ver as ofertas", "https://www.example.com/ofertas", "")],
            ..Content::default()
        },
        StarterName::Coupon => Content {
            body: "Obrigado pela sua última compra, {{1}}! Até {{2}}, o código abaixo dá {{3}} de desconto na \
                   próxima.",
            samples: &["Ana", "31 de março", "15%"],
            footer: "Responda SAIR para não receber mais",
            buttons: &[Code("OBRIGADO15"), Link("Abrir a loja", "https://www.example.com/", "")],
            ..Content::default()
        },
        StarterName::LimitedOffer => Content {
            offer: "Só até hoje",
            body: "Oi, {{1}}! Só hoje o frete é grátis nas compras acima de {{2}}. Informe o código ao finalizar.",
            samples: &["Ana", "R$ 199"],
            buttons: &[
                Code("FRETEGRATIS"),
                Link("Comprar agora", "https://www.example.com/oferta/{{1}}", "https://www.example.com/oferta/hoje"),
            ],
            ..Content::default()
        },
        StarterName::AbandonedCart => Content {
            header: "Seu carrinho está esperando",
            body: "Oi, {{1}}! Você deixou *{{2}}* no carrinho. Guardamos para você até {{3}}. \
                   Responda a esta mensagem se tiver dúvidas.",
            samples: &["Ana", "a jaqueta azul", "amanhã à noite"],
            footer: "Responda SAIR para não receber mais",
            buttons: &[Link(
                "Voltar ao carrinho",
                "https://www.example.com/carrinho/{{1}}",
                "https://www.example.com/carrinho/48213",
            )],
            ..Content::default()
        },
        StarterName::EventInvitation => Content {
            header: "Um convite para você",
            body: "Oi, {{1}}! Queremos receber você em *{{2}}*, {{3}}, na nossa loja. \
                   As vagas são limitadas: avise se você vem.",
            samples: &["Ana", "nossa noite de degustação", "sexta-feira, 8 de maio, às 19h"],
            footer: "Responda SAIR para não receber mais",
            buttons: &[Reply("Eu vou"), Reply("Não posso ir")],
            ..Content::default()
        },
        StarterName::OrderConfirmed => Content {
            header: "Pedido confirmado",
            body: "Oi, {{1}}! Recebemos o seu pedido *{{2}}*, no valor de {{3}}, e já estamos preparando tudo. \
                   Avisamos assim que ele for enviado.",
            samples: &["Ana", "10482", "R$ 84,90"],
            buttons: &[Link(
                "Ver meu pedido",
                "https://www.example.com/pedidos/{{1}}",
                "https://www.example.com/pedidos/10482",
            )],
            ..Content::default()
        },
        StarterName::OrderShipped => Content {
            body: "Oi, {{1}}! O seu pedido *{{2}}* saiu hoje do nosso depósito e deve chegar até {{3}}. \
                   Esperamos que você goste.",
            samples: &["Ana", "10482", "quinta-feira"],
            buttons: &[Link(
                "Acompanhar o pedido",
                "https://www.example.com/entrega/{{1}}",
                "https://www.example.com/entrega/10482",
            )],
            ..Content::default()
        },
        StarterName::AppointmentReminder => Content {
            header: "Lembrete de horário",
            body: "Oi, {{1}}! Passando para lembrar do seu horário com {{2}}, {{3}}. \
                   Por favor, diga se você consegue vir.",
            samples: &["Ana", "a Dra. Costa", "terça-feira, 12 de maio, às 10h30"],
            buttons: &[Reply("Confirmar"), Reply("Remarcar"), Reply("Cancelar")],
            ..Content::default()
        },
        StarterName::PaymentReminder => Content {
            body: "Oi, {{1}}! A sua fatura *{{2}}*, de {{3}}, vence em {{4}}. \
                   Se você já pagou, desconsidere esta mensagem.",
            samples: &["Ana", "2026-0815", "R$ 120,00", "15 de maio"],
            buttons: &[Link(
                "Ver a fatura",
                "https://www.example.com/faturas/{{1}}",
                "https://www.example.com/faturas/2026-0815",
            )],
            ..Content::default()
        },
        StarterName::SupportUpdate => Content {
            header: "Solicitação {{1}}: novidades",
            header_sample: "5521",
            body: "Oi, {{1}}! Temos novidades sobre a sua solicitação: {{2}}. \
                   Responda a esta mensagem se precisar de mais alguma coisa.",
            samples: &["Ana", "a peça de reposição chega na segunda-feira"],
            buttons: &[Reply("Isso resolveu"), Reply("Ainda preciso de ajuda")],
            ..Content::default()
        },
        StarterName::AccountAlert => Content {
            header: "Sua conta foi alterada",
            body: "Oi, {{1}}! O dado “{{2}}” da sua conta foi alterado em {{3}}. \
                   Se não foi você, fale com a gente agora mesmo.",
            samples: &["Ana", "senha", "4 de maio às 14h15"],
            buttons: &[Reply("Fui eu"), Reply("Não fui eu")],
            ..Content::default()
        },
        StarterName::CopyCode | StarterName::ExpiringCode | StarterName::OneTapCode => return None,
    })
}
