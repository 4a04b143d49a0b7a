//! Findings of authentication templates.

use super::*;

#[test]
fn authentication() {
    let otp = |button: Value| login(json!([{"type": "BODY"}, {"type": "BUTTONS", "buttons": [button]}]));
    let one_tap = |apps: Value| {
        otp(
            json!({"type": "OTP", "otp_type": "ONE_TAP", "text": "Copy", "autofill_text": "Fill", "supported_apps": apps}),
        )
    };
    table(vec![
        (
            with(
                login(
                    json!([{"type": "BODY", "add_security_recommendation": true}, {"type": "FOOTER", "code_expiration_minutes": 5},
                    {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE", "text": "Copy Code"}]}]),
                ),
                "message_send_ttl_seconds",
                json!(60),
            ),
            &[],
        ),
        (one_tap(json!([{"package_name": "com.example.app", "signature_hash": "K8a/AINcGX7"}])), &[]),
        (one_tap(json!([])), &["E otp.apps_required /components/1/buttons/0/supported_apps"]),
        (
            one_tap(json!([{"package_name": "app", "signature_hash": "K8a"}])),
            &[
                "E otp.package_name /components/1/buttons/0/supported_apps/0/package_name",
                "E otp.signature_hash /components/1/buttons/0/supported_apps/0/signature_hash",
            ],
        ),
        (
            one_tap(Value::Array(vec![json!({"package_name": "a.b", "signature_hash": "K8a/AINcGX7"}); 6])),
            &["E otp.too_many_apps /components/1/buttons/0/supported_apps"],
        ),
        (
            otp(json!({"type": "OTP", "otp_type": "ZERO_TAP", "package_name": "a.b", "signature_hash": "K8a/AINcGX7"})),
            &["E otp.terms /components/1/buttons/0/zero_tap_terms_accepted"],
        ),
        (otp(json!({"type": "OTP", "otp_type": "TELEPATHY"})), &["E otp.type /components/1/buttons/0/otp_type"]),
        (
            otp(json!({"type": "OTP", "otp_type": "COPY_CODE", "text": "a".repeat(26)})),
            &["E button.label_too_long /components/1/buttons/0/text"],
        ),
        (
            otp(json!({"type": "OTP"})),
            &["E authentication.buttons /components/1/buttons", "E button.malformed /components/1/buttons/0"],
        ),
        (login(json!([{"type": "BODY"}])), &["E authentication.otp_required /components"]),
        (
            login(
                json!([{"type": "HEADER", "format": "TEXT", "text": "x"}, {"type": "BODY", "text": "Your code"}, {"type": "FOOTER", "text": "x"},
                {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "a", "url": "https://x.example"}]}]),
            ),
            &[
                "E authentication.component /components/0",
                "E authentication.body_text /components/1/text",
                "E authentication.footer_text /components/2/text",
                "E authentication.expiration_required /components/2/code_expiration_minutes",
                "E authentication.buttons /components/3/buttons",
            ],
        ),
        (
            login(
                json!([{"type": "BODY"}, {"type": "FOOTER", "code_expiration_minutes": 91}, {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]}]),
            ),
            &["E authentication.expiration /components/1/code_expiration_minutes"],
        ),
    ]);
}
