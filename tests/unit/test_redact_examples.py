"""What is a secret and what is not, by example. The values are made up, and put together so that no scanner fires."""

import pytest

from beliefmerge.session.redact import redact_text, secrets_in
from beliefmerge.session.redaction import detect

HEX = "4f9a8b7c6d5e4f3a2b1c"
MIX = "zz" + "Q7w2" + "E9r4T1y6U3i8" + "O5p0"
HEX32 = "0123456789abcdef" * 2
ALNUM16 = "Zz12" + "Yy34Xx56" + "Ww78"
ZZ = "zz_test_" + HEX
JWT = "eyJhbGciOiJub25lIn0." + "eyJzdWIiOiJ6eiJ9." + "c2lnbmF0dXJl" + "LWZha2U"
PEM_BODY = "\n".join((f"FAKE{i}" + "Ab3Cd5Ef7Gh9" * 5)[:64] for i in range(3)) + "\nZZfakeFAKEzz0123456789AB=="
PEM = "-----BEGIN RSA PRIVATE " + "KEY-----\n" + PEM_BODY + "\n-----END RSA PRIVATE " + "KEY-----"

POSITIVE = [
    # label = value, English
    (f"export API_TOKEN={ZZ}", ZZ, "token"),
    (f"API_KEY={MIX}", MIX, "api-key"),
    (f"api key: {MIX}", MIX, "api-key"),
    (f"The API key is {MIX}.", MIX, "api-key"),
    (f"apiKey := `{MIX}`", MIX, "api-key"),
    (f"x-api-key: {MIX}", MIX, "api-key"),
    (f"GITHUB_TOKEN='{HEX}'", HEX, "token"),
    (f"access_token = {HEX}", HEX, "token"),
    (f"The token for staging is {ZZ}, keep it.", ZZ, "token"),
    (f"token (staging): {ZZ}", ZZ, "token"),
    (f"**Token**: `{ZZ}`", ZZ, "token"),
    (f"token {ZZ}", ZZ, "token"),
    (f"Here is the token:\n\n```\n{ZZ}\n```", ZZ, "token"),
    (f"| token | {ZZ} |", ZZ, "token"),
    # the head of a column
    ("| name | password |\n|---|---|\n| ana | none |\n| bob | hunter2xy |\n", "hunter2xy", "password"),
    ("host | **DB password** | port\n--|--|--\nx | `hunter2xy` | 8443", "hunter2xy", "password"),
    (f"User name,Access key ID,Secret access key\nana,zz1,{MIX}", MIX, "secret"),
    ('user,password,note\nana,none,"late, again"\nbob,hunter2xy,\n', "hunter2xy", "password"),
    (f"service\tAPI key\nmaps\t{HEX}\n", HEX, "api-key"),
    (f"token: str = '{HEX}'", HEX, "token"),
    (f"TOKEN_STAGING={ZZ}", ZZ, "token"),
    (f"clientSecret: {MIX}", MIX, "secret"),
    (f"AWS_SECRET_ACCESS_KEY={MIX}/{MIX}", f"{MIX}/{MIX}", "secret"),
    (f"OPENAI_KEY={MIX}", MIX, "secret"),
    (f"SMTP_PASS={MIX}", MIX, "secret"),
    ("password: " + "hunter" + "2", "hunter2", "password"),
    ("the password for the admin console is " + "Tr0ub4dor" + "&3", "Tr0ub4dor&3", "password"),
    ("password=" + "Sup3r$" + "ecret!", "Sup3r$ecret", "password"),
    ('passwd = "' + "P@ss w0rd"[:4] + 'w0rd#77"', "P@ssw0rd#77", "password"),
    ("passphrase: " + "correct-horse-" + "battery-staple", "correct-horse-battery-staple", "password"),
    ("Password: " + "730194" + "26", "73019426", "password"),
    ("PGPASSWORD=" + "swordfish", "swordfish", "password"),
    ("password was changed to " + "winter" + "77x", "winter77x", "password"),
    ("<password>" + "q7Zx" + "Wv91</password>", "q7ZxWv91", "password"),
    ('password = "' + "two words" + '1 &z9k"', "two words1 &z9k", "password"),
    ("machine h login bob password " + "hunter" + "2", "hunter2", "password"),
    ("log in as user bob with password " + "hunter" + "2", "hunter2", "password"),
    ("username bob and password " + "hunter" + "2, then", "hunter2", "password"),
    ("ALTER USER bob WITH PASSWORD '" + "hunter" + "2'", "hunter2", "password"),
    ("CREATE USER bob IDENTIFIED BY '" + "hunter" + "2'", "hunter2", "password"),
    ("username/password: admin/" + "hunter" + "2", "hunter2", "password"),
    ("credentials: admin:" + "hunter" + "2", "hunter2", "password"),
    ("use " + "hunter" + "2 as the password", "hunter2", "password"),
    (f"{ZZ} is our token for staging", ZZ, "token"),
    (f"client.set_token('{ZZ}')", ZZ, "token"),
    (f"log of token={ZZ}.jsonl", ZZ, "token"),
    # JSON, as text and escaped in a tool call
    (f'{{"api_key": "{MIX}", "n": 1}}', MIX, "api-key"),
    (f'{{"cmd": "curl -d \\"{{\\\\\\"token\\\\\\": \\\\\\"{HEX}\\\\\\"}}\\""}}', HEX, "token"),
    (f'{{"cmd": "export API_TOKEN={ZZ}\\nrun"}}', ZZ, "token"),
    (f'{{"args": {{\\"password\\": \\"{"n0t" + "R3al7"}\\"}}}}', "n0tR3al7", "password"),
    (f'{{"name": "API_TOKEN", "value": "{ZZ}"}}', ZZ, "token"),
    # Chinese
    (f"API 密钥：{MIX}", MIX, "api-key"),
    (f"秘钥是{MIX}。", MIX, "api-key"),
    (f"令牌为 {ZZ}，请勿外传", ZZ, "token"),
    ("密码是" + "hunter" + "2。", "hunter2", "password"),
    ("数据库密码已改为「" + "Zhang" + "San8x」", "ZhangSan8x", "password"),
    ("口令 = " + "abc" + "987xyz", "abc987xyz", "password"),
    ("密码（测试环境）：" + "qwe" + "123rty", "qwe123rty", "password"),
    ("账号密码：admin/" + "hunter" + "2", "hunter2", "password"),
    ("密码" + "hunter" + "2，别外传", "hunter2", "password"),
    ("用 " + "hunter" + "2 作为密码", "hunter2", "password"),
    # command lines
    ("login --password " + "hunter" + "2 --verbose", "hunter2", "password"),
    (f"cli --api-key={MIX}", MIX, "api-key"),
    (f"cli --token {ZZ}", ZZ, "token"),
    ("curl -u admin:" + "s3cr" + "tZZ9 https://host/", "s3crtZZ9", "password"),
    ("mysql -u root -p" + "S3cr" + "t99x db", "S3crt99x", "password"),
    ("sshpass -p " + "S3cr" + "t99x ssh host", "S3crt99x", "password"),
    # headers
    (f"Authorization: Bearer {MIX}", MIX, "authorization"),
    (f'"Authorization": "Bearer {HEX}"', HEX, "authorization"),
    (f"-H 'Authorization: token {HEX}'", HEX, "authorization"),
    ("Authorization: Basic " + "enp1c2VyOnpa" + "cGFzczl4", "enp1c2VyOnpacGFzczl4", "authorization"),
    (f"it sends Bearer {MIX} along", MIX, "authorization"),
    (f"Cookie: theme=dark; sessionid={HEX}", HEX, "cookie"),
    (f"Set-Cookie: sid={MIX}; Path=/; HttpOnly", MIX, "cookie"),
    # addresses and connection strings
    ("postgres://app:" + "sw0rd" + "fish@db.internal:5432/prod", "sw0rdfish", "url-password"),
    ("amqp://svc:" + "plainword@mq/", "plainword", "url-password"),
    (f"https://{HEX}@git.example/x.git", HEX, "url-password"),
    ("Server=db;Database=x;User Id=sa;Password=" + "Zz" + "9kk!x;", "Zz9kk!x", "connection-string"),
    ("Server=db;User Id=sa;Pwd=" + "swordfish;Encrypt=yes", "swordfish", "connection-string"),
    ("app:" + "pa55" + "zz@tcp(127.0.0.1:3306)/db", "pa55zz", "connection-string"),
    (f"GET /v1?api_key={MIX}&page=2", MIX, "api-key"),
    (f"https://blob.example/c?sv=2022&sig={MIX}{MIX}&se=2030", MIX + MIX, "secret"),
    # forms that need no label
    ("AKIA" + "ZZFAKE7EXAMPLE00", "AKIA" + "ZZFAKE7EXAMPLE00", "aws-access-key"),
    ("ghp_" + "zZ9" * 12, "ghp_" + "zZ9" * 12, "github-token"),
    ("glpat-" + "zZ9y" * 5, "glpat-" + "zZ9y" * 5, "gitlab-token"),
    ("xoxb-" + "123456789012-" + "zzfakezzfake9", "xoxb-" + "123456789012-" + "zzfakezzfake9", "slack-token"),
    ("sk_live_" + "zZ9y8X" * 4, "sk_live_" + "zZ9y8X" * 4, "stripe-key"),
    ("SG." + "zZ9y8X7w6V5u4T3s2R1q0P"[:22] + "." + ("zZ9y8" * 9)[:43], None, "sendgrid-key"),
    ("12345678:" + ("zZ9y8-" * 6)[:35], None, "telegram-bot-token"),
    ("sk-ant-api03-" + "zZ9y8X" * 6, None, "provider-key"),
    ("sk-proj-" + "zZ9y8X" * 6, None, "provider-key"),
    ("AIza" + "zZ9y8" * 7, None, "provider-key"),
    ("hf_" + "zZyXwVuT" * 4, None, "provider-key"),
    ("npm_" + "zZ9y8X" * 6, None, "provider-key"),
    ("github_pat_" + "zZ9y8X" * 8, None, "provider-key"),
    (JWT, None, "jwt"),
    (f"{HEX32}.{ALNUM16}", None, "dotted-key"),
    (f"the id={HEX32}.{ALNUM16}, used", f"{HEX32}.{ALNUM16}", "dotted-key"),
    (PEM, None, "private-key"),
    (f"cut off: {PEM[:170]}", PEM[40:90], "private-key"),
    (PEM.replace("\n", "\\n"), PEM_BODY[:64], "private-key"),
]

NEGATIVE = [
    "| token | count |\n|---|---|\n| stage-3 | 12 |\n| the | 400 |",
    "| public key | size |\n|---|---|\n| 4f9a8b7c6d5e4f3a2b1c | 2048 |",
    "| user | password policy |\n|---|---|\n| ana | rotate90days |",
    "Bring the password, please,\nand hunter2xy, the dog.",
    "The staging host is stage-3.",
    "password is required",
    "Password: required",
    "password must be at least 12 characters",
    "the password is stored in vault-2",
    "The password is argon2id-hashed with sha256.",
    "password hashing: argon2id",
    "token budget = 400",
    "token: expired",
    "max_tokens: 4096",
    "token count is 12",
    "The token is stage-3.",
    "The token is base64-encoded and RS256-signed.",
    "tokens: 128000",
    "token_id = 50256",
    "token type: Bearer",
    "eos_token: </s>",
    "unexpected token '}' at line 3",
    "the secret is simple",
    "the secret to success is patience",
    "secret: none",
    "secretName: my-app-tls-2",
    "secret: db-credentials-v2",
    "api_key=<YOUR_KEY>",
    "api_key: YOUR_API_KEY",
    "API_KEY=your-key-here",
    "api_key = ${API_KEY}",
    "token: ${TOKEN}",
    "token=$TOKEN",
    "export API_TOKEN=$(cat /run/token)",
    'token = os.environ["API_TOKEN_2"]',
    "token = os.getenv('API_TOKEN')",
    "password = process.env.DB_PW1",
    "password: {{ vault.db_password1 }}",
    "token = get_token2(user)",
    "token = response.json()['access_token']",
    "password = None",
    "password: xxxx",
    "password: ********",
    "password=changeme",
    "password = 'string'",
    '"password": "This field may not be blank."',
    "api_key: sk-xxxxxxxxxxxxxxxxxxxx",
    "api_key: sk-...",
    "password: str",
    "def login(user: str, password: str) -> Token2Response:",
    "password_file: /run/secrets/db_password1",
    "token: /var/lib/x1/token",
    "pwd: /home/user/project2",
    "PWD=/srv/app-2/build",
    "private_key: Ed25519PrivateKey",
    "primary_key = user_id_2",
    "CACHE_KEY=user:42:profile",
    "see arn:aws:secretsmanager:us-east-1:1:secret:Db2Main",
    "commit 4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a",
    "HEAD is now at 4f9a8b7 Fix the token budget",
    "request 550e8400-e29b-41d4-a716-446655440000 failed",
    "session-550e8400-e29b-41d4-a716-446655440000",
    "see arXiv:2401.12345v2",
    "image@sha256:" + "0123456789abcdef" * 4,
    "token: sha256:" + "0123456789abcdef" * 4,
    "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAA" * 20,
    "Authorization: required",
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${TOKEN}",
    "Authorization: Bearer YOUR_TOKEN",
    'f"Bearer {token}"',
    "bearer token authentication",
    "Cookie: theme=dark; lang=en",
    "the cookie banner",
    "postgres://postgres:postgres@localhost/db",
    "postgres://user:password@host/db",
    "https://user:${PASS}@host/",
    "http://localhost:8080/a@b",
    "git@github.com:org/repo2.git",
    "ask-sk-team-about-the-sk-learn-tutorial-2",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "The file starts with -----BEGIN PRIVATE KEY----- and nothing else.",
    "static/" + "0123456789abcdef" * 2 + ".chunk.js",
    "密码是必填项",
    "密码长度为 8 到 16 位",
    "令牌已过期",
    "密钥管理服务在 kms-2",
    "the --password option",
    "use --token to pass a token",
    "password reset in step-2",
    "sign in with password authentication",
    "it works with token v2 and with password sha256",
    "password policy2 and token format3",
    "key: value2",
    "model: gpt-4o-mini-2024-07-18",
    "token: us-east-1a",
    "docker run -p 8080:8080 mysql",
    "user id: 1234567",
    "[REDACTED:token] and token=[REDACTED:token]",
]


@pytest.mark.parametrize(("text", "value", "kind"), POSITIVE, ids=range(len(POSITIVE)))
def test_a_secret_is_replaced_and_its_kind_is_named(text, value, kind):
    value = value or text
    redacted, counts = redact_text(text)
    assert value in text
    assert value not in redacted
    assert f"[REDACTED:{kind}]" in redacted
    assert counts[kind] >= 1


@pytest.mark.parametrize("text", NEGATIVE, ids=range(len(NEGATIVE)))
def test_what_is_no_secret_is_left_alone(text):
    assert redact_text(text) == (text, {})


def test_only_the_value_is_replaced():
    assert redact_text(f"export API_TOKEN={ZZ} && run")[0] == "export API_TOKEN=[REDACTED:token] && run"
    assert redact_text(f"GET /v1?api_key={MIX}&page=2")[0] == "GET /v1?api_key=[REDACTED:api-key]&page=2"
    assert redact_text(f"The API key is {MIX}.")[0] == "The API key is [REDACTED:api-key]."
    assert redact_text(f"x {PEM} y")[0] == "x [REDACTED:private-key] y"


def test_counts_are_places_by_kind():
    assert secrets_in(f"token={ZZ}, again {ZZ}; password: hunter2") == {"token": 2, "password": 1}


@pytest.mark.parametrize("text", [text for text, _, _ in POSITIVE], ids=range(len(POSITIVE)))
def test_the_prefilter_lets_every_example_through(text, monkeypatch):
    monkeypatch.setattr(detect, "PREFILTER_FROM", 0)
    filtered = {(secret.value, secret.kind) for secret in detect.find_secrets([text])}
    assert filtered == {(secret.value, secret.kind) for secret in detect.find_secrets_plain([text])}


@pytest.mark.parametrize("label", ["API_TOKEN=", '"token": "', "密钥："])
def test_a_long_value_is_replaced_to_its_end(label):
    value = (MIX * 200)[:3000]
    assert redact_text(f"x {label}{value} y") == redact_text(f"x {label}{MIX} y")


def test_a_number_or_a_word_is_replaced_only_where_it_stands_alone():
    text = "password: 73019426; order 1730194265 and 73019426. PGPASSWORD=swordfish, swordfishing, (swordfish)"
    expected = (
        "password: [REDACTED:password]; order 1730194265 and [REDACTED:password]. "
        "PGPASSWORD=[REDACTED:password], swordfishing, ([REDACTED:password])"
    )
    assert redact_text(text)[0] == expected


def test_a_private_key_is_found_through_line_numbers_and_its_lines_wherever_they_stand():
    numbered = "\n".join(f"{i:6}→{line}" for i, line in enumerate(PEM.splitlines(), 1))
    redacted, _ = redact_text(f"{numbered}\nand once more {PEM_BODY[65:129]}")
    assert redacted == "     1→[REDACTED:private-key]\nand once more [REDACTED:private-key]"


def test_text_that_utf8_cannot_hold_is_redacted_too(monkeypatch):
    monkeypatch.setattr(detect, "PREFILTER_FROM", 0)
    assert redact_text(f"\ud800 token={ZZ} \udfff") == ("\ud800 token=[REDACTED:token] \udfff", {"token": 1})


def test_of_two_kinds_the_more_telling_is_written():
    assert redact_text(f"token={JWT}")[0] == "token=[REDACTED:jwt]"
    assert redact_text("token=ghp_" + "zZ9" * 12)[0] == "token=[REDACTED:github-token]"


def test_a_provider_key_for_an_id_is_replaced_and_ids_of_the_usual_forms_stay():
    from beliefmerge.demo import talk
    from beliefmerge.session.redact import redact

    key = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    usual = ["0b5f9f3c-8f6e-4d0e-9a57-6f1c2d3e4f50", "msg_01XFDUDYJgAACzvnptvVoYEL", "rs_" + "0f9a8b7c" * 6, "9f" * 16]
    (changed, *same), counts = redact([talk(id, ("user", "Hello.")) for id in (key, *usual)])
    assert (changed.id, dict(counts)) == ("[REDACTED:github-token]", {"github-token": 3})
    assert [session.id for session in same] == usual
