//! Conversations of the history: what customers and the shop wrote.

use super::people::Language::{self, English, Portuguese, Spanish};

/// A line of a conversation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Line {
    /// A text of the customer.
    Customer(&'static str),
    /// A text of the shop, sent from this desk.
    Shop(&'static str),
    /// A picture of the customer, with a caption.
    Picture(&'static str),
    /// A PDF of the customer, by its name.
    Document(&'static str),
    /// A place of the customer: name and address.
    Place(&'static str, &'static str),
    /// A reaction of the customer to the last message of the shop.
    Reaction(&'static str),
}

use Line::{Customer, Document, Picture, Place, Reaction, Shop};

/// A conversation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Script {
    pub(crate) language: Language,
    /// Days before the anchor on which it began.
    pub(crate) days: i64,
    /// The template that its first line answers: name and language.
    pub(crate) answers: Option<(&'static str, &'static str)>,
    pub(crate) lines: &'static [Line],
}

type Answered = Option<(&'static str, &'static str)>;

const NOTHING: Answered = None;
const ORDER: Answered = Some(("order_shipped", "pt_BR"));
const ORDER_EN: Answered = Some(("order_shipped", "en_US"));
const COUPON: Answered = Some(("coupon", "es"));
const SUMMER: Answered = Some(("summer_offer", "es"));
const SPRING: Answered = Some(("spring_sale", "pt_BR"));
const BOUQUETS: Answered = Some(("bouquets", "pt_BR"));
const VISIT: Answered = Some(("visit_reminder", "pt_BR"));

const fn script(language: Language, days: i64, answers: Answered, lines: &'static [Line]) -> Script {
    Script { language, days, answers, lines }
}

/// All conversations. The last line of the newest ones still awaits an answer.
pub(crate) const SCRIPTS: &[Script] = &[
    script(
        Portuguese,
        57,
        NOTHING,
        &[
            Customer("Bom dia! Vocês entregam na Vila Mariana?"),
            Shop("Bom dia! Entregamos sim, de segunda a sábado. O frete para a Vila Mariana é R$ 15."),
            Customer("Ótimo, obrigada!"),
        ],
    ),
    script(
        English,
        54,
        ORDER_EN,
        &[
            Customer("Hi, can I change the delivery address?"),
            Shop("Of course. Please send me the new address and I'll tell the driver."),
            Customer("350 5th Ave, reception desk. Thank you!"),
            Shop("Done, it will arrive there this afternoon."),
            Reaction("👍"),
        ],
    ),
    script(
        Spanish,
        52,
        NOTHING,
        &[
            Customer("Hola, ¿hacen ramos de novia?"),
            Shop("¡Hola! Sí, con tres semanas de anticipación. ¿Para qué fecha lo necesita?"),
            Customer("Para el 14 de mayo, en tonos blancos"),
            Shop("Perfecto. Le preparo dos propuestas y se las envío mañana."),
        ],
    ),
    script(
        Portuguese,
        49,
        ORDER,
        &[
            Customer("O pedido chegou, mas veio um cartão com outro nome 😕"),
            Shop("Puxa, desculpe pelo engano! Vou enviar o cartão certo hoje mesmo, sem custo."),
            Customer("Tá bom, obrigado pela rapidez"),
        ],
    ),
    script(
        Portuguese,
        47,
        NOTHING,
        &[
            Customer("Oi, tudo bem? Queria um orçamento para decorar uma festa de 15 anos"),
            Shop("Oi! Que legal. Quantos convidados e qual a cor do tema?"),
            Customer("120 convidados, lilás e branco"),
            Picture("Essa é a inspiração que ela mandou"),
            Shop("Linda! Mando o orçamento até amanhã ao meio-dia."),
            Customer("Perfeito ❤️"),
        ],
    ),
    script(
        English,
        45,
        NOTHING,
        &[
            Customer("Do you have peonies this week?"),
            Shop("They arrive on Thursday. Would you like me to put a dozen aside?"),
            Customer("Yes please, two dozen"),
            Shop("Two dozen it is. You can pick them up from 10 am."),
        ],
    ),
    script(
        Portuguese,
        43,
        ORDER,
        &[Customer("Pode deixar com o porteiro, por favor"), Shop("Combinado, já avisei o entregador.")],
    ),
    script(
        Spanish,
        42,
        COUPON,
        &[
            Customer("¿El cupón sirve también para plantas?"),
            Shop("Sí, sirve para toda la tienda hasta el domingo."),
            Customer("Genial, gracias"),
        ],
    ),
    script(
        Portuguese,
        40,
        NOTHING,
        &[
            Customer("Vocês têm girassol em vaso?"),
            Shop("Temos! O vaso médio sai por R$ 48."),
            Customer("Quero dois. Pago por Pix, pode ser?"),
            Shop("Pode sim. A chave é o nosso CNPJ, 12.345.678/0001-90."),
            Document("comprovante-pix.pdf"),
            Shop("Recebido, obrigada! Entregamos amanhã de manhã."),
        ],
    ),
    script(
        Portuguese,
        38,
        ORDER,
        &[
            Customer("As orquídeas chegaram lindas! Parabéns pelo capricho"),
            Shop("Que bom que gostou! Regue uma vez por semana e evite sol direto."),
            Reaction("❤️"),
        ],
    ),
    script(
        English,
        36,
        ORDER_EN,
        &[
            Customer("The flowers were gorgeous but one stem was broken"),
            Picture("Here's a photo"),
            Shop("I'm so sorry about that. We'll add a free stem to your next order."),
            Customer("That's very kind, thanks"),
        ],
    ),
    script(
        Portuguese,
        34,
        NOTHING,
        &[Customer("Qual o horário de vocês no sábado?"), Shop("Aos sábados abrimos das 9h às 14h.")],
    ),
    script(
        Spanish,
        32,
        NOTHING,
        &[
            Customer("Buenas tardes, quisiera enviar flores a Guadalajara"),
            Shop("Buenas tardes. Con gusto, llegan en 24 horas. ¿Para quién son?"),
            Customer("Para mi mamá, es su cumpleaños el viernes"),
            Place("Casa de mamá", "Av. Chapultepec 480, Guadalajara"),
            Shop("Anotado. El viernes antes del mediodía estarán allá."),
            Customer("¡Muchísimas gracias!"),
        ],
    ),
    script(
        Portuguese,
        30,
        VISIT,
        &[
            Customer("Preciso remarcar minha visita, surgiu uma reunião"),
            Shop("Sem problema. Quinta às 15h fica bom?"),
            Customer("Quinta às 15h perfeito"),
            Shop("Remarcado! Até quinta."),
        ],
    ),
    script(
        Portuguese,
        28,
        NOTHING,
        &[
            Customer("Bom dia, a rosa que comprei está murchando em 2 dias..."),
            Picture("Olha como está"),
            Shop("Bom dia! Isso não é normal. Fazemos a troca, pode ser amanhã?"),
            Customer("Pode sim, depois das 14h"),
            Shop("Combinado, trocamos amanhã depois das 14h."),
        ],
    ),
    script(
        English,
        26,
        NOTHING,
        &[
            Customer("Can you do a weekly subscription for our office?"),
            Shop("We can! Small, medium or large arrangement?"),
            Customer("Medium, every Monday before 9"),
            Shop("That would be $85 a week. Shall I start next Monday?"),
            Customer("Yes, go ahead"),
        ],
    ),
    script(
        Portuguese,
        26,
        SPRING,
        &[
            Customer("Esse desconto vale para entrega também?"),
            Shop("Vale só para as flores, mas acima de R$ 150 o frete é grátis 😉"),
            Customer("Aí sim! Vou montar meu pedido"),
        ],
    ),
    script(
        Spanish,
        21,
        SUMMER,
        &[
            Customer("¿Todavía quedan girasoles?"),
            Shop("Sí, nos quedan doce ramos. ¿Le aparto uno?"),
            Customer("Dos, por favor"),
            Shop("Apartados a su nombre hasta mañana."),
        ],
    ),
    script(
        Portuguese,
        20,
        NOTHING,
        &[
            Customer("Vocês fazem coroa de flores?"),
            Shop("Fazemos, sim. Nossos sentimentos. Para quando precisa?"),
            Customer("Para hoje à tarde, cemitério da Consolação"),
            Place("Cemitério da Consolação", "R. da Consolação, 1660, São Paulo"),
            Shop("Entregamos até as 16h. Qual mensagem vai na faixa?"),
            Customer("Saudades eternas da família Andrade"),
            Shop("Tudo certo. Conte com a gente."),
        ],
    ),
    script(
        English,
        18,
        ORDER_EN,
        &[
            Customer("Is there a card included?"),
            Shop("Yes, a handwritten card is always free. What should it say?"),
            Customer("Happy anniversary, love you always"),
            Reaction("😍"),
        ],
    ),
    script(
        Portuguese,
        30,
        BOUQUETS,
        &[
            Customer("Adorei o buquê de tulipas da promoção! Ainda tem?"),
            Shop("Tem sim! Reservo um para você?"),
            Customer("Reserva por favor, passo às 18h"),
            Shop("Reservado no seu nome."),
        ],
    ),
    script(
        Portuguese,
        15,
        NOTHING,
        &[
            Customer("Oi! A nota fiscal do pedido 860412 pode ser no CNPJ?"),
            Shop("Pode sim. Me envie o cartão CNPJ, por favor."),
            Document("cartao-cnpj.pdf"),
            Shop("Nota emitida e enviada por e-mail."),
            Customer("Valeu!"),
        ],
    ),
    script(
        Spanish,
        14,
        NOTHING,
        &[
            Customer("Hola, ¿tienen tienda física?"),
            Shop("¡Hola! Sí, en la colonia Roma, de lunes a sábado de 9 a 19 h."),
            Customer("Perfecto, paso mañana"),
        ],
    ),
    script(
        Portuguese,
        13,
        SPRING,
        &[
            Customer("Quero a orquídea branca da promoção de primavera 🌷"),
            Shop("Ótima escolha! Entrega ou retirada?"),
            Customer("Retirada, sábado de manhã"),
            Shop("Separamos para você. Até sábado!"),
        ],
    ),
    script(
        English,
        11,
        NOTHING,
        &[
            Customer("Hello, I'd like to return a vase, it has a crack"),
            Picture("You can see it on the left side"),
            Shop("Thanks for the photo. We'll swap it at no cost, no need to return it."),
            Customer("Amazing service 🙏"),
        ],
    ),
    script(
        Portuguese,
        10,
        NOTHING,
        &[
            Customer("Boa tarde, fazem arranjo para mesa de jantar? 8 lugares"),
            Shop("Boa tarde! Fazemos. Prefere algo baixo, para não atrapalhar a conversa?"),
            Customer("Isso, baixo e sem cheiro forte"),
            Shop("Sugiro lisianthus com eucalipto, R$ 140."),
            Customer("Fechado!"),
        ],
    ),
    script(
        Spanish,
        9,
        COUPON,
        &[
            Customer("El código no me funciona en la página"),
            Picture("Me sale esto"),
            Shop("Gracias por avisar. Ya lo corregimos, inténtelo de nuevo."),
            Customer("Ahora sí, gracias"),
        ],
    ),
    script(
        Portuguese,
        8,
        ORDER,
        &[
            Customer("Meu pedido está marcado como entregue, mas não recebi nada"),
            Shop("Vou verificar agora com o entregador, um minuto."),
            Shop("Ele deixou com a vizinha do 32, a Dona Marta. Pode conferir?"),
            Customer("Achei! Obrigado 😅"),
        ],
    ),
    script(
        English,
        7,
        ORDER_EN,
        &[Customer("They loved it! Best florist in town"), Shop("That made our day, thank you!"), Reaction("❤️")],
    ),
    script(
        Portuguese,
        6,
        NOTHING,
        &[
            Customer("Vocês trabalham com flores para casamento na praia?"),
            Shop("Trabalhamos! Onde e quando será?"),
            Customer("Ilhabela, dia 20 de março, umas 80 pessoas"),
            Shop("Que delícia! Vou montar uma proposta com flores que aguentam a maresia."),
        ],
    ),
    script(
        Spanish,
        5,
        NOTHING,
        &[
            Customer("Buenos días, necesito factura de mi última compra"),
            Document("constancia-fiscal.pdf"),
            Shop("Buenos días. Su factura quedó lista, se la enviamos por correo."),
            Customer("Muy amable"),
        ],
    ),
    script(
        Portuguese,
        4,
        ORDER,
        &[
            Customer("Consigo trocar a cor das rosas do pedido?"),
            Shop("Consegue, ainda não montamos. Qual cor prefere?"),
            Customer("Champanhe, por favor"),
            Shop("Trocado para champanhe."),
            Reaction("🌹"),
        ],
    ),
    script(
        English,
        3,
        NOTHING,
        &[
            Customer("Do you deliver to Brooklyn on Sundays?"),
            Shop("On Sundays only before noon. Which address is it for?"),
            Customer("I'll check with my sister and get back to you"),
        ],
    ),
    script(Portuguese, 2, ORDER, &[Customer("Chegou tudo certinho, obrigada! 🌻"), Shop("Nós é que agradecemos!")]),
    script(
        Spanish,
        1,
        NOTHING,
        &[
            Customer("¿Cuándo llega mi pedido? Me dijeron que hoy"),
            Shop("Sale en la ruta de las 16 h, le llega antes de las 19 h."),
            Customer("Ok, estaré en casa"),
        ],
    ),
    script(
        Portuguese,
        1,
        NOTHING,
        &[
            Customer("Oi, vocês têm kit de jardinagem para criança?"),
            Shop("Temos! Vem com vaso, terra e sementes de girassol, R$ 65."),
            Customer("Que fofo! Quero três, como faço para pagar?"),
        ],
    ),
    script(English, 1, ORDER_EN, &[Customer("Could you leave it with the concierge? I'm out until 6")]),
    script(Portuguese, 0, ORDER, &[Customer("Oi! Dá para entregar amanhã até as 17h?")]),
];
