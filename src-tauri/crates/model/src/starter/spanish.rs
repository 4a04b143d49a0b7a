//! The starters in Spanish.

use super::Action::{Code, Link, Reply};
use super::{Content, StarterName};

/// The texts of a starter; `None` if WhatsApp writes its text.
pub(super) fn content(name: StarterName) -> Option<Content> {
    Some(match name {
        StarterName::Welcome => Content {
            body: "Hola, {{1}}. ¡Qué gusto tenerle en nuestra tienda! Por aquí recibe noticias de sus pedidos y habla \
                   con nuestro equipo.\n\n¿Qué le gustaría hacer primero?",
            samples: &["Ana"],
            footer: "Responda BAJA para no recibir más mensajes",
            buttons: &[Reply("Ver las novedades"), Reply("Hablar con el equipo")],
            ..Content::default()
        },
        StarterName::SeasonalSale => Content {
            header: "Llegaron las {{1}} a la tienda",
            header_sample: "rebajas de verano",
            body: "Hola, {{1}}. Desde hoy hasta el {{2}}, toda la tienda en línea tiene *{{3}} de descuento*.\n\n\
                   No espere mucho: lo mejor se acaba primero.",
            samples: &["Ana", "30 de junio", "20 %"],
            footer: "Responda BAJA para no recibir más mensajes",
            buttons: &[Link("Ver las ofertas", "https://www.example.com/ofertas", "")],
            ..Content::default()
        },
        StarterName::Coupon => Content {
            body: "¡Gracias por su última compra, {{1}}! Hasta el {{2}}, el código de abajo le da {{3}} de \
                   descuento en la próxima.",
            samples: &["Ana", "31 de marzo", "15 %"],
            footer: "Responda BAJA para no recibir más mensajes",
            buttons: &[Code("GRACIAS15"), Link("Abrir la tienda", "https://www.example.com/", "")],
            ..Content::default()
        },
        StarterName::LimitedOffer => Content {
            offer: "Solo por hoy",
            body: "Hola, {{1}}. Solo hoy el envío es gratis en compras de más de {{2}}. Escriba el código al pagar.",
            samples: &["Ana", "50 €"],
            buttons: &[
                Code("ENVIOGRATIS"),
                Link("Comprar ahora", "https://www.example.com/oferta/{{1}}", "https://www.example.com/oferta/hoy"),
            ],
            ..Content::default()
        },
        StarterName::AbandonedCart => Content {
            header: "Su carrito le espera",
            body: "Hola, {{1}}. Dejó *{{2}}* en su carrito. Se lo guardamos hasta {{3}}. \
                   Responda a este mensaje si tiene dudas.",
            samples: &["Ana", "la chaqueta azul", "mañana por la noche"],
            footer: "Responda BAJA para no recibir más mensajes",
            buttons: &[Link(
                "Volver al carrito",
                "https://www.example.com/carrito/{{1}}",
                "https://www.example.com/carrito/48213",
            )],
            ..Content::default()
        },
        StarterName::EventInvitation => Content {
            header: "Una invitación para usted",
            body: "Hola, {{1}}. Nos encantaría verle en *{{2}}*, el {{3}}, en nuestra tienda. \
                   Las plazas son limitadas: avísenos si puede venir.",
            samples: &["Ana", "nuestra noche de degustación", "viernes 8 de mayo a las 19:00"],
            footer: "Responda BAJA para no recibir más mensajes",
            buttons: &[Reply("Allí estaré"), Reply("No puedo ir")],
            ..Content::default()
        },
        StarterName::OrderConfirmed => Content {
            header: "Pedido confirmado",
            body: "Hola, {{1}}. Recibimos su pedido *{{2}}* por {{3}} y lo estamos preparando. \
                   Le avisaremos en cuanto salga.",
            samples: &["Ana", "10482", "84,90 €"],
            buttons: &[Link(
                "Ver mi pedido",
                "https://www.example.com/pedidos/{{1}}",
                "https://www.example.com/pedidos/10482",
            )],
            ..Content::default()
        },
        StarterName::OrderShipped => Content {
            body: "Hola, {{1}}. Su pedido *{{2}}* salió hoy de nuestro almacén y debería llegar antes del {{3}}. \
                   Esperamos que le guste.",
            samples: &["Ana", "10482", "jueves"],
            buttons: &[Link(
                "Seguir mi pedido",
                "https://www.example.com/envio/{{1}}",
                "https://www.example.com/envio/10482",
            )],
            ..Content::default()
        },
        StarterName::AppointmentReminder => Content {
            header: "Recordatorio de su cita",
            body: "Hola, {{1}}. Le recordamos su cita con {{2}} el {{3}}. \
                   Por favor, díganos si puede asistir.",
            samples: &["Ana", "la Dra. Costa", "martes 12 de mayo a las 10:30"],
            buttons: &[Reply("Confirmar"), Reply("Cambiar la fecha"), Reply("Cancelar")],
            ..Content::default()
        },
        StarterName::PaymentReminder => Content {
            body: "Hola, {{1}}. Su factura *{{2}}* de {{3}} vence el {{4}}. \
                   Si ya la pagó, no tenga en cuenta este mensaje.",
            samples: &["Ana", "2026-0815", "120,00 €", "15 de mayo"],
            buttons: &[Link(
                "Ver la factura",
                "https://www.example.com/facturas/{{1}}",
                "https://www.example.com/facturas/2026-0815",
            )],
            ..Content::default()
        },
        StarterName::SupportUpdate => Content {
            header: "Solicitud {{1}}: novedades",
            header_sample: "5521",
            body: "Hola, {{1}}. Hay novedades sobre su solicitud: {{2}}. \
                   Responda a este mensaje si necesita algo más.",
            samples: &["Ana", "la pieza de repuesto llega el lunes"],
            buttons: &[Reply("Problema resuelto"), Reply("Aún necesito ayuda")],
            ..Content::default()
        },
        StarterName::AccountAlert => Content {
            header: "Hubo un cambio en su cuenta",
            body: "Hola, {{1}}. El dato «{{2}}» de su cuenta se cambió el {{3}}. \
                   Si no fue usted, escríbanos de inmediato.",
            samples: &["Ana", "contraseña", "4 de mayo a las 14:15"],
            buttons: &[Reply("Fui yo"), Reply("No fui yo")],
            ..Content::default()
        },
        StarterName::CopyCode | StarterName::ExpiringCode | StarterName::OneTapCode => return None,
    })
}
