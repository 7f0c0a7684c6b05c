//! Tests with the beginnings, in hexadecimal, of files that OpenSSL 3, Java's `keytool` and GnuPG made for them.

use super::*;

const KEYS: [(&str, &str); 7] = [
    (
        "Ed25519 in PKCS #8",
        "302e020100300506032b657004220420aa0238aa322f3a32ddb961348612ba8c04d7e75d70cbc313722326103e73e142",
    ),
    (
        "P-256 in PKCS #8",
        "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b020101042012b863b71e7fea958bc5c64a\
         5a28743cbb2e3283df36f489",
    ),
    (
        "P-256 in SEC 1",
        "3077020101042012b863b71e7fea958bc5c64a5a28743cbb2e3283df36f489c932bdaaed43e1dfa00a06082a8648ce3d",
    ),
    (
        "RSA in PKCS #1",
        "3082025c02010002818100d2ef48e56c5079f6b231708f96b3397fc767b9833239a5d8b584b04ae61a62725b6622000a\
         af10f53fe740bba86269a9415092fc756850f6cbe5f823f2f5872832a4060ad3de861227dc169034a39386d41d917392\
         60c2ccb58284b06668d8f90fb7b19608986659d930194dc7786810e94a79ff417fe4b15178627782c7d75b0203010001",
    ),
    (
        "PKCS #8 by a password, PKCS #5",
        "3081ec305706092a864886f70d01050d304a302906092a864886f70d01050c301c0408185d1c2e855e720a0202080030\
         0c06082a864886f70d02090500301d060960864801650304012a0410c62a20dcd4486bb0c29da67453d81ac604819071",
    ),
    (
        "PKCS #8 by a password, PKCS #12",
        "3081b1301c060a2a864886f70d010c0103300e0408c0f926b0e6222190020208000481907a9f9530af021fca",
    ),
    (
        "PKCS #12",
        "308203ec020103308203a206092a864886f70d010701a08203930482038f3082038b308202420609",
    ),
];

const STORED: [(&str, &str); 4] = [
    ("Java", "feedfeed000000020000000100000001000161000001a2027dfde70000007f307d300e060a2b0601"),
    (
        "Java's other",
        "cececece000000020000000100000001000161000001a2027e017a0000006a3068301c06092b0601",
    ),
    ("OpenPGP, a curve", "9458046b02af9f16092b06010401da470f0101074027721c"),
    ("OpenPGP, RSA", "950398046b02af9f010800b1b7d3536b551d502621d6f513"),
];

const PUBLIC_FILES: [(&str, &str); 7] = [
    (
        "a certificate with number 1",
        "3082015b30820100a003020102020101300a06082a8648ce3d040302300c310a300806035504030c0178301e170d3236\
         313132323039303232305a170d3236313132333039303232305a300c310a300806035504030c01783059301306072a86\
         48ce3d020106082a8648ce3d0301070342000405121751f501f2e4dff5598af8cc9ee47abd706be0ab4cd3fb0498c01b",
    ),
    (
        "a request",
        "3081c6306e020100300c310a300806035504030c01783059301306072a8648ce3d020106082a8648ce3d030107034200\
         0405121751f501f2e4dff5598af8cc9ee47abd706be0ab4cd3fb0498c01bd0cfc5461f008b02953be0c61a5afd36a14a",
    ),
    (
        "a public key on a curve",
        "3059301306072a8648ce3d020106082a8648ce3d0301070342000405121751f501f2e4dff5598af8cc9ee47abd706be0\
         ab4cd3fb0498c01bd0cfc5461f008b02953be0c61a5afd36a14acae53efdbf027ad7e7739f84797b13a8ec",
    ),
    (
        "a public RSA key",
        "30818902818100d2ef48e56c5079f6b231708f96b3397fc767b9833239a5d8b584b04ae61a62725b6622000aaf10f53f\
         e740bba86269a9415092fc756850f6cbe5f823f2f5872832a4060ad3de861227dc169034a39386d41d91739260c2ccb5\
         8284b06668d8f90fb7b19608986659d930194dc7786810e94a79ff417fe4b15178627782c7d75b0203010001",
    ),
    (
        "certificates in PKCS #7",
        "3082018906092a864886f70d010702a082017a308201760201013100300b06092a864886f70d010701a082015e308201\
         5a30820100a003020102020101300a06082a8648ce3d040302300c310a300806035504030c0178301e170d3236313132",
    ),
    (
        "a question for a time stamp",
        "30410201013031300d0609608648016503040201050004200b8caf02b93cb76594baaa9ff862f56f2ce578afd640a6dd\
         1fbe1a434a143a59020900ea896e1bbb39d3f9",
    ),
    (
        "public keys of OpenPGP",
        "9833046b02af9f16092b06010401da470f0101074027721c962576a1b76345b5dee52eb3d3c954c6",
    ),
];

#[test]
fn binary_private_keys_are_recognized_among_other_bytes() {
    for (name, key) in KEYS {
        let key = hex::decode(key).unwrap();
        assert!(holds_der_key(&key), "{name}");
        let among = [b"\0\x30\x82picture".as_slice(), &key].concat();
        assert!(holds_der_key(&among), "{name} among other bytes");
    }
    let endless = b"\x30\x80\x02\x01\x03\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01\xa0";
    assert!(holds_der_key(endless), "PKCS #12 of no length that is named");
}

#[test]
fn key_stores_are_recognized() {
    for (name, store) in STORED {
        assert!(is_store(&hex::decode(store).unwrap()), "{name}");
    }
    assert!(is_store(b"\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5"), "KeePass");
}

#[test]
fn public_files_are_not_taken_for_keys() {
    for (name, file) in PUBLIC_FILES {
        let file = hex::decode(file).unwrap();
        assert!(!holds_der_key(&file) && !is_store(&file), "{name}");
    }
    // Bytes without a pattern, from a generator that always produces the same ones.
    let mut state = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state.to_be_bytes()[0]
    })
    .take(1 << 20)
    .collect();
    assert!(!holds_der_key(&noise));
    for file in [b"".as_slice(), b"\x30", b"\x30\x84", b"\x30\x03\x02\x01", b"\x89PNG\r\n"] {
        assert!(!holds_der_key(file) && !is_store(file) && !is_packed(file), "{file:?}");
    }
}

#[test]
fn packed_files_are_recognized() {
    let mut tar = vec![0; 512];
    tar[257..262].copy_from_slice(b"ustar");
    let program = [b"\x7fELF".as_slice(), b"PK\x05\x06", &[0; 18]].concat();
    for file in [tar.as_slice(), &program, b"PK\x03\x04x", b"\x1f\x8b\x08", b"BZh9"] {
        assert!(is_packed(file), "{file:?}");
    }
}
