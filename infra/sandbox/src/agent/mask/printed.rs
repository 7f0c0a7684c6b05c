//! One credential in the output of many programs; each row names the program that printed it.

use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const SECRET: &str = "kR7/vWq2'Zt\"Y9<m>X&b4+L $C\\8!e";

#[rustfmt::skip]
const PRINTED: &[(&str, &str)] = &[
    ("set -x", "kR7/vWq2'\\''Zt\"Y9<m>X&b4+L $C\\8!e"),
    ("printf %q", "kR7/vWq2\\'Zt\\\"Y9\\<m\\>X\\&b4+L\\ \\$C\\\\8\\!e"),
    ("declare -p", "kR7/vWq2'Zt\\\"Y9<m>X&b4+L \\$C\\\\8!e"),
    ("shlex.quote", "kR7/vWq2'\"'\"'Zt\"Y9<m>X&b4+L $C\\8!e"),
    ("Python repr", "kR7/vWq2\\'Zt\"Y9<m>X&b4+L $C\\\\8!e"),
    ("Python bytes", "kR7/vWq2\\'Zt\"Y9<m>X&b4+L $C\\\\8!e"),
    ("JSON", "kR7/vWq2'Zt\\\"Y9<m>X&b4+L $C\\\\8!e"),
    ("JSON in JSON", "kR7/vWq2'Zt\\\\\\\"Y9<m>X&b4+L $C\\\\\\\\8!e"),
    ("YAML, single quotes", "kR7/vWq2''Zt\"Y9<m>X&b4+L $C\\8!e"),
    ("XML text", "kR7/vWq2'Zt\"Y9&lt;m&gt;X&amp;b4+L $C\\8!e"),
    ("XML attribute", "kR7/vWq2'Zt&quot;Y9&lt;m&gt;X&amp;b4+L $C\\8!e"),
    ("HTML", "kR7/vWq2&#x27;Zt&quot;Y9&lt;m&gt;X&amp;b4+L $C\\8!e"),
    ("URL", "kR7%2FvWq2%27Zt%22Y9%3Cm%3EX%26b4%2BL%20%24C%5C8%21e"),
    ("form", "kR7%2FvWq2%27Zt%22Y9%3Cm%3EX%26b4%2BL+%24C%5C8%21e"),
    ("hex", "6b52372f76577132275a742259393c6d3e582662342b4c2024435c382165"),
    ("HEX", "6B52372F76577132275A742259393C6D3E582662342B4C2024435C382165"),
    ("hex with colons", "6b:52:37:2f:76:57:71:32:27:5a:74:22:59:39:3c:6d:3e:58:26:62:34:2b:4c:20:24:43:5c:38:21:65"),
    ("base32", "NNJDOL3WK5YTEJ22OQRFSOJ4NU7FQJTCGQVUYIBEINODQILF"),
    ("base64 behind 0", "a1I3L3ZXcTInWnQiWTk8bT5YJmI0K0wgJENcOCFl"),
    ("base64 behind 1", "dWtSNy92V3EyJ1p0Ilk5PG0+WCZiNCtMICRDXDghZQ=="),
    ("base64 behind 2", "dXVrUjcvdldxMidadCJZOTxtPlgmYjQrTCAkQ1w4IWU="),
    ("base64 in lines", "a1I3L3ZXcTInWnQiWTk8bT5YJmI0K0wgJENcOCFla1I3L3ZXcTInWnQiWTk8bT5YJmI0K0wgJENc\nOCFla1I3L3ZXcTInWnQiWTk8bT5YJmI0K0wgJENcOCFl\n"),
    ("od -c", "0000000   k   R   7   /   v   W   q   2   '   Z   t   \"   Y   9   <   m\n0000020   >   X   &   b   4   +   L       $   C   \\   8   !   e\n0000036\n"),
    ("od -tx1", "0000000 6b 52 37 2f 76 57 71 32 27 5a 74 22 59 39 3c 6d\n0000020 3e 58 26 62 34 2b 4c 20 24 43 5c 38 21 65\n0000036\n"),
    ("od -b", "0000000 153 122 067 057 166 127 161 062 047 132 164 042 131 071 074 155\n0000020 076 130 046 142 064 053 114 040 044 103 134 070 041 145\n0000036\n"),
    ("od -x", "0000000 526b 2f37 5776 3271 5a27 2274 3959 6d3c\n0000020 583e 6226 2b34 204c 4324 385c 6521\n0000036\n"),
    ("xxd", "00000000: 6b52 372f 7657 7132 275a 7422 5939 3c6d  kR7/vWq2'Zt\"Y9<m\n00000010: 3e58 2662 342b 4c20 2443 5c38 2165       >X&b4+L $C\\8!e\n"),
    ("hexdump -C", "00000000  6b 52 37 2f 76 57 71 32  27 5a 74 22 59 39 3c 6d  |kR7/vWq2'Zt\"Y9<m|\n00000010  3e 58 26 62 34 2b 4c 20  24 43 5c 38 21 65        |>X&b4+L $C\\8!e|\n0000001e\n"),
    ("fold -w 5", "kR7/v\nWq2'Z\nt\"Y9<\nm>X&b\n4+L $\nC\\8!e"),
    ("between colors", "\u{1b}[30mk\u{1b}[0m\u{1b}[31mR\u{1b}[0m\u{1b}[32m7\u{1b}[0m\u{1b}[33m/\u{1b}[0m\u{1b}[34mv\u{1b}[0m\u{1b}[35mW\u{1b}[0m\u{1b}[36mq\u{1b}[0m\u{1b}[37m2\u{1b}[0m\u{1b}[30m'\u{1b}[0m\u{1b}[31mZ\u{1b}[0m\u{1b}[32mt\u{1b}[0m\u{1b}[33m\"\u{1b}[0m\u{1b}[34mY\u{1b}[0m\u{1b}[35m9\u{1b}[0m\u{1b}[36m<\u{1b}[0m\u{1b}[37mm\u{1b}[0m\u{1b}[30m>\u{1b}[0m\u{1b}[31mX\u{1b}[0m\u{1b}[32m&\u{1b}[0m\u{1b}[33mb\u{1b}[0m\u{1b}[34m4\u{1b}[0m\u{1b}[35m+\u{1b}[0m\u{1b}[36mL\u{1b}[0m\u{1b}[37m \u{1b}[0m\u{1b}[30m$\u{1b}[0m\u{1b}[31mC\u{1b}[0m\u{1b}[32m\\\u{1b}[0m\u{1b}[33m8\u{1b}[0m\u{1b}[34m!\u{1b}[0m\u{1b}[35me\u{1b}[0m"),
    ("octal", "\\153\\122\\067\\057\\166\\127\\161\\062\\047\\132\\164\\042\\131\\071\\074\\155\\076\\130\\046\\142\\064\\053\\114\\040\\044\\103\\134\\070\\041\\145"),
    ("decimal", "[107, 82, 55, 47, 118, 87, 113, 50, 39, 90, 116, 34, 89, 57, 60, 109, 62, 88, 38, 98, 52, 43, 76, 32, 36, 67, 92, 56, 33, 101]"),
    ("JSON of numbers", "\\u006b\\u0052\\u0037\\u002f\\u0076\\u0057\\u0071\\u0032\\u0027\\u005a\\u0074\\u0022\\u0059\\u0039\\u003c\\u006d\\u003e\\u0058\\u0026\\u0062\\u0034\\u002b\\u004c\\u0020\\u0024\\u0043\\u005c\\u0038\\u0021\\u0065"),
    ("JSON of some numbers", "kR7\\u002fvWq2\\u0027Zt\\u0022Y9\\u003cm\\u003eX\\u0026b4\\u002bL \\u0024C\\u005c8\\u0021e"),
    ("JSON of some NUMBERS", "kR7\\u002FvWq2\\u0027Zt\\u0022Y9\\u003Cm\\u003EX\\u0026b4\\u002BL \\u0024C\\u005C8\\u0021e"),
    ("Go's JSON", "kR7/vWq2'Zt\\\"Y9\\u003cm\\u003eX\\u0026b4+L $C\\\\8!e"),
    ("PHP's JSON", "kR7\\/vWq2\\u0027Zt\\u0022Y9\\u003Cm\\u003EX\\u0026b4+L $C\\\\8!e"),
    ("JSON in JSON in JSON", "kR7/vWq2'Zt\\\\\\\\\\\\\\\"Y9<m>X&b4+L $C\\\\\\\\\\\\\\\\8!e"),
    ("JavaScript", "kR7\\x2FvWq2\\x27Zt\\x22Y9\\x3Cm\\x3EX\\x26b4\\x2BL\\x20\\x24C\\x5C8\\x21e"),
    ("Rust", "\\u{6b}\\u{52}\\u{37}\\u{2f}\\u{76}\\u{57}\\u{71}\\u{32}\\u{27}\\u{5a}\\u{74}\\u{22}\\u{59}\\u{39}\\u{3c}\\u{6d}\\u{3e}\\u{58}\\u{26}\\u{62}\\u{34}\\u{2b}\\u{4c}\\u{20}\\u{24}\\u{43}\\u{5c}\\u{38}\\u{21}\\u{65}"),
    ("Python, wide", "\\U0000006b\\U00000052\\U00000037\\U0000002f\\U00000076\\U00000057\\U00000071\\U00000032\\U00000027\\U0000005a\\U00000074\\U00000022\\U00000059\\U00000039\\U0000003c\\U0000006d\\U0000003e\\U00000058\\U00000026\\U00000062\\U00000034\\U0000002b\\U0000004c\\U00000020\\U00000024\\U00000043\\U0000005c\\U00000038\\U00000021\\U00000065"),
    ("Rust, quotes", "kR7/vWq2\\'Zt\\\"Y9<m>X&b4+L $C\\\\8!e"),
    ("C", "kR7\\057vWq2\\047Zt\\042Y9\\074m\\076X\\046b4\\053L\\040\\044C\\1348\\041e"),
    ("C, few digits", "\\153\\122\\67\\57\\166\\127\\161\\62\\47\\132\\164\\42\\131\\71\\74\\155\\76\\130\\46\\142\\64\\53\\114\\40\\44\\103\\134\\70\\41\\145"),
    ("systemd", "kR7/vWq2\\x27Zt\\x22Y9<m>X&b4+L\\x20$C\\x5c8!e"),
    ("Java properties", "kR7/vWq2'Zt\"Y9<m>X&b4+L\\ $C\\\\8\\!e"),
    ("ls -b", "kR7/vWq2'Zt\\\"Y9<m>X&b4+L\\ $C\\\\8!e"),
    ("Bash, HEX", "\\x6B\\x52\\x37\\x2F\\x76\\x57\\x71\\x32\\x27\\x5A\\x74\\x22\\x59\\x39\\x3C\\x6D\\x3E\\x58\\x26\\x62\\x34\\x2B\\x4C\\x20\\x24\\x43\\x5C\\x38\\x21\\x65"),
    ("HTML numbers", "&#107;&#82;&#55;&#47;&#118;&#87;&#113;&#50;&#39;&#90;&#116;&#34;&#89;&#57;&#60;&#109;&#62;&#88;&#38;&#98;&#52;&#43;&#76;&#32;&#36;&#67;&#92;&#56;&#33;&#101;"),
    ("HTML, some NUMBERS", "kR7&#x2F;vWq2&#x27;Zt&#x22;Y9&#x3C;m&#x3E;X&#x26;b4&#x2B;L &#x24;C&#x5C;8&#x21;e"),
    ("Go's HTML", "kR7/vWq2&#39;Zt&#34;Y9&lt;m&gt;X&amp;b4&#43;L $C\\8!e"),
    ("Mustache", "kR7&#x2F;vWq2&#39;Zt&quot;Y9&lt;m&gt;X&amp;b4+L $C\\8!e"),
    ("HTML twice", "kR7/vWq2&amp;#x27;Zt&amp;quot;Y9&amp;lt;m&amp;gt;X&amp;amp;b4+L $C\\8!e"),
    ("XML, one quote", "kR7/vWq2&apos;Zt\"Y9&lt;m>X&amp;b4+L $C\\8!e"),
    ("URL user", "kR7%2FvWq2'Zt%22Y9%3Cm%3EX&b4+L%20$C%5C8!e"),
    ("encodeURI", "kR7/vWq2'Zt%22Y9%3Cm%3EX&b4+L%20$C%5C8!e"),
    ("escape()", "%u006B%u0052%u0037%u002F%u0076%u0057%u0071%u0032%u0027%u005A%u0074%u0022%u0059%u0039%u003C%u006D%u003E%u0058%u0026%u0062%u0034%u002B%u004C%u0020%u0024%u0043%u005C%u0038%u0021%u0065"),
    ("quoted-printable", "=6B=52=37=2F=76=57=71=32=27=5A=74=22=59=39=3C=6D=3E=58=26=62=34=2B=4C=20=24=43=5C=38=21=65"),
    ("CSV", "kR7/vWq2'Zt\"\"Y9<m>X&b4+L $C\\8!e"),
    ("PowerShell", "kR7/vWq2'Zt`\"Y9<m>X&b4+L `$C\\8!e"),
    ("cmd", "kR7/vWq2'Zt^\"Y9^<m^>X^&b4+L $C\\8!e"),
    ("UTF-16", "k\u{0}R\u{0}7\u{0}/\u{0}v\u{0}W\u{0}q\u{0}2\u{0}'\u{0}Z\u{0}t\u{0}\"\u{0}Y\u{0}9\u{0}<\u{0}m\u{0}>\u{0}X\u{0}&\u{0}b\u{0}4\u{0}+\u{0}L\u{0} \u{0}$\u{0}C\u{0}\\\u{0}8\u{0}!\u{0}e\u{0}"),
    ("UTF-16, other order", "\u{0}k\u{0}R\u{0}7\u{0}/\u{0}v\u{0}W\u{0}q\u{0}2\u{0}'\u{0}Z\u{0}t\u{0}\"\u{0}Y\u{0}9\u{0}<\u{0}m\u{0}>\u{0}X\u{0}&\u{0}b\u{0}4\u{0}+\u{0}L\u{0} \u{0}$\u{0}C\u{0}\\\u{0}8\u{0}!\u{0}e"),
    ("UTF-16 in hex", "6b00520037002f00760057007100320027005a0074002200590039003c006d003e0058002600620034002b004c002000240043005c00380021006500"),
    ("powershell -enc", "awBSADcALwB2AFcAcQAyACcAWgB0ACIAWQA5ADwAbQA+AFgAJgBiADQAKwBMACAAJABDAFwAOAAhAGUA"),
    ("zero width", "k\u{200b}R\u{200b}7\u{200b}/\u{200b}v\u{200b}W\u{200b}q\u{200b}2\u{200b}'\u{200b}Z\u{200b}t\u{200b}\"\u{200b}Y\u{200b}9\u{200b}<\u{200b}m\u{200b}>\u{200b}X\u{200b}&\u{200b}b\u{200b}4\u{200b}+\u{200b}L\u{200b} \u{200b}$\u{200b}C\u{200b}\\\u{200b}8\u{200b}!\u{200b}e"),
    ("soft hyphens", "k\u{ad}R\u{ad}7\u{ad}/\u{ad}v\u{ad}W\u{ad}q\u{ad}2\u{ad}'\u{ad}Z\u{ad}t\u{ad}\"\u{ad}Y\u{ad}9\u{ad}<\u{ad}m\u{ad}>\u{ad}X\u{ad}&\u{ad}b\u{ad}4\u{ad}+\u{ad}L\u{ad} \u{ad}$\u{ad}C\u{ad}\\\u{ad}8\u{ad}!\u{ad}e"),
    ("base64 twice", "YTFJM0wzWlhjVEluV25RaVdUazhiVDVZSm1JMEswd2dKRU5jT0NGbA=="),
    ("base64 in hex", "613149334c335a586354496e576e516957546b38625435594a6d49304b3077674a454e634f43466c"),
    ("hex in base64", "NmI1MjM3MmY3NjU3NzEzMjI3NWE3NDIyNTkzOTNjNmQzZTU4MjY2MjM0MmI0YzIwMjQ0MzVjMzgyMTY1"),
    ("JSON in base64", "a1I3L3ZXcTInWnRcIlk5PG0+WCZiNCtMICRDXFw4IWU="),
    ("URL in base64", "a1I3JTJGdldxMiUyN1p0JTIyWTklM0NtJTNFWCUyNmI0JTJCTCUyMCUyNEMlNUM4JTIxZQ=="),
    ("base32, lower", "nnjdol3wk5ytej22oqrfsoj4nu7fqjtcgqvuyibeinodqilf"),
    ("base32hex", "DD93EBRMATOJ49QQEGH5IE9SDKV5G9J26GLKO8148DE3G8B5"),
    ("base58", "NWFM18GFEF7YSDN9T8x1igZd4YNcaD7Lz7iN7afvc"),
    ("Ascii85", "CJm)EG#rZ=-X(U9=ZJT]5$0.@1b26B,XYfr+_:"),
    ("base85", "Yf?8ac2{vSCt7qOSvfpyK3FDVG%HLXBtu*{A!P"),
    ("uuencode", ">:U(W+W97<3(G6G0B63D\\;3Y8)F(T*TP@)$-<.\"%E"),
    ("tput sgr0", "kR7/vWq2'\u{1b}(B\u{1b}[mZt\"Y9<m>X&b4+L $C\\8!e"),
    ("xxd -i", "  0x6b, 0x52, 0x37, 0x2f, 0x76, 0x57, 0x71, 0x32, 0x27, 0x5a, 0x74, 0x22,\n  0x59, 0x39, 0x3c, 0x6d, 0x3e, 0x58, 0x26, 0x62, 0x34, 0x2b, 0x4c, 0x20,\n  0x24, 0x43, 0x5c, 0x38, 0x21, 0x65\n"),
    ("jq of bytes", "[\n  107,\n  82,\n  55,\n  47,\n  118,\n  87,\n  113,\n  50,\n  39,\n  90,\n  116,\n  34,\n  89,\n  57,\n  60,\n  109,\n  62,\n  88,\n  38,\n  98,\n  52,\n  43,\n  76,\n  32,\n  36,\n  67,\n  92,\n  56,\n  33,\n  101\n]"),
    ("od -tu1", " 107  82  55  47 118  87 113  50  39  90 116  34  89  57  60 109\n  62  88  38  98  52  43  76  32  36  67  92  56  33 101"),
    ("od -tx4", "0000000 2f37526b 32715776 22745a27 6d3c3959 6226583e 204c2b34 385c4324"),
    ("od without an address", " 051153 027467 053566 031161 055047 021164 034531 066474\n 054076 061046 025464 020114 041444 034134 062441\n"),
    ("YAML, folded", "kR7/vWq2'Zt\\\"\\\n  Y9<m>X&b4+L $C\\\\8!e"),
    ("decimal with dots", "107.82.55.47.118.87.113.50.39.90.116.34.89.57.60.109.62.88.38.98.52.43.76.32.36.67.92.56.33.101"),
    ("od", "0000000 051153 027467 053566 031161 055047 021164 034531 066474\n0000020 054076 061046 025464 020114 041444 034134 062441\n0000036\n"),
    ("od -d", "0000000 21099 12087 22390 12913 23079  8820 14681 27964\n0000020 22590 25126 11060  8268 17188 14428 25889\n0000036\n"),
    ("od -i", "0000000   792154731   846288758   578050599  1832663385\n0000020  1646680126   541862708   945570596       25889\n0000036\n"),
    ("od -l", "0000000  3634782539374613099  7871229303729707559\n0000020  2327282611428677694      111193353896740\n0000036\n"),
    ("hexdump -d", "0000000   21099   12087   22390   12913   23079   08820   14681   27964\n0000010   22590   25126   11060   08268   17188   14428   25889        \n000001e\n"),
    ("hexdump -o", "0000000  051153  027467  053566  031161  055047  021164  034531  066474\n0000010  054076  061046  025464  020114  041444  034134  062441        \n000001e\n"),
    ("xxd -b", "00000000: 01101011 01010010 00110111 00101111 01110110 01010111  kR7/vW\n00000006: 01110001 00110010 00100111 01011010 01110100 00100010  q2'Zt\"\n0000000c: 01011001 00111001 00111100 01101101 00111110 01011000  Y9<m>X\n00000012: 00100110 01100010 00110100 00101011 01001100 00100000  &b4+L \n00000018: 00100100 01000011 01011100 00111000 00100001 01100101  $C\\8!e\n"),
    ("xxd -i -u", "  0X6B, 0X52, 0X37, 0X2F, 0X76, 0X57, 0X71, 0X32, 0X27, 0X5A, 0X74, 0X22,\n  0X59, 0X39, 0X3C, 0X6D, 0X3E, 0X58, 0X26, 0X62, 0X34, 0X2B, 0X4C, 0X20,\n  0X24, 0X43, 0X5C, 0X38, 0X21, 0X65\n"),
    ("openssl s_client", "0000 - 6b 52 37 2f 76 57 71 32-27 5a 74 22 59 39 3c 6d   kR7/vWq2'Zt\"Y9<m\n0010 - 3e 58 26 62 34 2b 4c 20-24 43 5c 38 21 65         >X&b4+L $C\\8!e\n"),
    ("tcpdump -X", "\t0x0000:  6b52 372f 7657 7132 275a 7422 5939 3c6d  kR7/vWq2'Zt\"Y9<m\n\t0x0010:  3e58 2662 342b 4c20 2443 5c38 2165       >X&b4+L.$C\\8!e\n"),
    ("Rust, bytes in hex", "[6b, 52, 37, 2f, 76, 57, 71, 32, 27, 5a, 74, 22, 59, 39, 3c, 6d, 3e, 58, 26, 62, 34, 2b, 4c, 20, 24, 43, 5c, 38, 21, 65]"),
    ("Windows registry", "hex:6b,52,37,2f,76,57,71,32,27,5a,74,22,59,39,3c,6d,3e,58,26,62,34,2b,4c,20,24,43,5c,38,21,65"),
    ("hex with 0x", "0x6b 0x52 0x37 0x2f 0x76 0x57 0x71 0x32 0x27 0x5a 0x74 0x22 0x59 0x39 0x3c 0x6d 0x3e 0x58 0x26 0x62 0x34 0x2b 0x4c 0x20 0x24 0x43 0x5c 0x38 0x21 0x65"),
    ("JSON of characters", "[\"k\", \"R\", \"7\", \"/\", \"v\", \"W\", \"q\", \"2\", \"'\", \"Z\", \"t\", \"\\\"\", \"Y\", \"9\", \"<\", \"m\", \">\", \"X\", \"&\", \"b\", \"4\", \"+\", \"L\", \" \", \"$\", \"C\", \"\\\\\", \"8\", \"!\", \"e\"]"),
    ("Python list", "['k', 'R', '7', '/', 'v', 'W', 'q', '2', \"'\", 'Z', 't', '\"', 'Y', '9', '<', 'm', '>', 'X', '&', 'b', '4', '+', 'L', ' ', '$', 'C', '\\\\', '8', '!', 'e']"),
    ("C characters", "{'k','R','7','/','v','W','q','2','\\'','Z','t','\"','Y','9','<','m','>','X','&','b','4','+','L',' ','$','C','\\\\','8','!','e'}"),
    ("objdump -s", " 0000 6b52372f 76577132 275a7422 59393c6d  kR7/vWq2'Zt\"Y9<m\n 0010 3e582662 342b4c20 24435c38 2165      >X&b4+L $C\\8!e\n"),
    ("readelf -x", "  0x00000000 6b52372f 76577132 275a7422 59393c6d kR7/vWq2'Zt\"Y9<m\n  0x00000010 3e582662 342b4c20 24435c38 2165     >X&b4+L $C\\8!e\n"),
    ("fold -w 1", "k\nR\n7\n/\nv\nW\nq\n2\n'\nZ\nt\n\"\nY\n9\n<\nm\n>\nX\n&\nb\n4\n+\nL\n \n$\nC\n\\\n8\n!\ne"),
    ("fold -w 2", "kR\n7/\nvW\nq2\n'Z\nt\"\nY9\n<m\n>X\n&b\n4+\nL \n$C\n\\8\n!e"),
    ("jq of characters", "[\n  \"k\",\n  \"R\",\n  \"7\",\n  \"/\",\n  \"v\",\n  \"W\",\n  \"q\",\n  \"2\",\n  \"'\",\n  \"Z\",\n  \"t\",\n  \"\\\"\",\n  \"Y\",\n  \"9\",\n  \"<\",\n  \"m\",\n  \">\",\n  \"X\",\n  \"&\",\n  \"b\",\n  \"4\",\n  \"+\",\n  \"L\",\n  \" \",\n  \"$\",\n  \"C\",\n  \"\\\\\",\n  \"8\",\n  \"!\",\n  \"e\"\n]"),
    ("HAProxy", "kR7/vWq2'Zt#22Y9<m>X&b4+L#20$C\\8!e"),
    ("HAProxy, all marks", "kR7#2FvWq2#27Zt#22Y9#3Cm#3EX#26b4#2BL#20#24C#5C8#21e"),
    ("rsyslog", "kR7#057vWq2#047Zt#042Y9#074m#076X#046b4#053L#040#044C#1348#041e"),
    ("LDAP", "kR7\\2fvWq2\\27Zt\\22Y9\\3cm\\3eX\\26b4\\2bL\\20\\24C\\5c8\\21e"),
    ("LDAP in JSON", "kR7\\\\2FvWq2\\\\27Zt\\\\22Y9\\\\3Cm\\\\3EX\\\\26b4\\\\2BL\\\\20\\\\24C\\\\5C8\\\\21e"),
    ("DNS", "kR7\\047vWq2\\039Zt\\034Y9\\060m\\062X\\038b4\\043L\\032\\036C\\0928\\033e"),
    ("PyYAML, characters", "- k\n- R\n- '7'\n- /\n- v\n- W\n- q\n- '2'\n- ''''\n- Z\n- t\n- '\"'\n- Y\n- '9'\n- <\n- m\n- '>'\n- X\n- '&'\n- b\n- '4'\n- +\n- L\n- ' '\n- $\n- C\n- \\\n- '8'\n- '!'\n- e\n"),
    ("yq, characters", "  - k\n  - R\n  - \"7\"\n  - /\n  - v\n  - W\n  - q\n  - \"2\"\n  - ''''\n  - Z\n  - t\n  - '\"'\n  - \"Y\"\n  - \"9\"\n  - <\n  - m\n  - '>'\n  - X\n  - '&'\n  - b\n  - \"4\"\n  - +\n  - L\n  - ' '\n  - $\n  - C\n  - \\\n  - \"8\"\n  - '!'\n  - e\n"),
    ("gdb x/c", "0x602010:\t107 'k'\t82 'R'\t55 '7'\t47 '/'\t118 'v'\t87 'W'\t113 'q'\t50 '2'\n0x602018:\t39 '\\''\t90 'Z'\t116 't'\t34 '\"'\t89 'Y'\t57 '9'\t60 '<'\t109 'm'\n0x602020:\t62 '>'\t88 'X'\t38 '&'\t98 'b'\t52 '4'\t43 '+'\t76 'L'\t32 ' '\n0x602028:\t36 '$'\t67 'C'\t92 '\\\\'\t56 '8'\t33 '!'\t101 'e'\n"),
    ("nroff, bold", "k\u{8}kR\u{8}R7\u{8}7/\u{8}/v\u{8}vW\u{8}Wq\u{8}q2\u{8}2'\u{8}'Z\u{8}Zt\u{8}t\"\u{8}\"Y\u{8}Y9\u{8}9<\u{8}<m\u{8}m>\u{8}>X\u{8}X&\u{8}&b\u{8}b4\u{8}4+\u{8}+L\u{8}L \u{8} $\u{8}$C\u{8}C\\\u{8}\\8\u{8}8!\u{8}!e\u{8}e"),
    ("nroff, underlined", "_\u{8}k_\u{8}R_\u{8}7_\u{8}/_\u{8}v_\u{8}W_\u{8}q_\u{8}2_\u{8}'_\u{8}Z_\u{8}t_\u{8}\"_\u{8}Y_\u{8}9_\u{8}<_\u{8}m_\u{8}>_\u{8}X_\u{8}&_\u{8}b_\u{8}4_\u{8}+_\u{8}L_\u{8} _\u{8}$_\u{8}C_\u{8}\\_\u{8}8_\u{8}!_\u{8}e"),
];

/// Shortest piece of a printed form that would reveal something, in bytes.
const PIECE_BYTES: usize = 6;

/// Whether a piece of the printed form remains; the addresses of dumps may remain.
fn shows(shown: &str, printed: &str) -> bool {
    let address = |piece: &&[u8]| !piece.iter().all(|b| b"01236e:\n\t x-".contains(b));
    let mut pieces = printed.as_bytes().windows(PIECE_BYTES).filter(address);
    pieces.any(|piece| shown.as_bytes().windows(PIECE_BYTES).any(|s| s == piece))
}

#[test]
fn a_credential_is_masked_in_every_form_in_which_programs_print_it() {
    assert!(PRINTED.len() >= 26);
    let mask = Mask::of([SECRET]);
    for (what, printed) in PRINTED {
        let shown = mask.whole(&format!("before {printed} after\nnext line\n"));
        assert!(shown.contains("***") && !shows(&shown, printed), "{what}: {shown:?}");
        assert!(
            shown.starts_with("before ") && shown.ends_with("next line\n"),
            "{what}: {shown:?}"
        );
    }
}

/// A text in base64, and the part of it that a part of the text determines alone.
fn in_base64(text: &str, secret: Range<usize>) -> (String, Range<usize>) {
    (STANDARD.encode(text), (8 * secret.start).div_ceil(6)..8 * secret.end / 6)
}

#[test]
fn a_credential_is_masked_in_a_file_that_is_in_base64() {
    let mask = Mask::of([SECRET]);
    let login = format!("shop:{SECRET}");
    let (login, secret) = in_base64(&login, 5..login.len());
    let shell = SECRET.replace('\'', "'\\''");
    let markup = SECRET.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    for (what, inner, secret) in [
        ("a registry's login", login.as_str(), secret.clone()),
        ("a shell script", shell.as_str(), 0..shell.len()),
        ("YAML", &SECRET.replace('\'', "''"), 0..SECRET.len() + 1),
        ("XML", &markup, 0..markup.len()),
    ] {
        for before in ["", "{", "a:", "P='"] {
            let text = format!("{before}{inner}' }}");
            let secret = secret.start + before.len()..secret.end + before.len();
            let (encoded, secret) = in_base64(&text, secret);
            let shown = mask.whole(&encoded);
            let mut pieces = encoded[secret].as_bytes().windows(PIECE_BYTES);
            let left =
                pieces.any(|piece| shown.as_bytes().windows(PIECE_BYTES).any(|s| s == piece));
            assert!(shown.contains("***") && !left, "{what} behind {before:?}: {shown}");
        }
    }
}

/// The same dumps of a credential whose first character has a leading zero in them.
#[test]
fn the_address_of_a_dumps_first_line_does_not_hide_a_credential() {
    let secret = "A7q%L2x&Zt9w";
    let mask = Mask::of([secret]);
    for (dump, first, last) in [
        ("0000000   A   7   q   %   L   2   x   &   Z   t   9   w\n0000014\n", "A   7", "9   w"),
        ("0000000 101 067 161 045 114 062 170 046 132 164 071 167\n0000014\n", "101", "167"),
        ("00000000  41 37 71 25 4c 32 78 26  5a 74 39 77  |A7q%L2x&Zt9w|\n0000000c\n", "41", "|"),
        ("00000000: 4137 7125 4c32 7826 5a74 3977  A7q%L2x&Zt9w\n", "4137", "9w"),
    ] {
        let shown = mask.whole(dump);
        let left = shown.contains(first) || shown.contains(last);
        assert!(shown.contains("***") && !left, "{shown:?}");
    }
}

/// Dumps behind a log's words, or with short addresses; the credential begins with the last byte of a line.
#[test]
fn the_words_before_the_data_of_a_dump_do_not_hide_a_credential() {
    /// What a line begins with, at this address.
    type Lead = fn(usize) -> String;
    let mask = Mask::of([SECRET]);
    let text = format!("aaaaaaaaaaaaaaa{SECRET}bbbbbbbbbbbbbbbbbb");
    // How many bytes a word has, and what comes before the margin, if there is one.
    let dumps: [(Lead, usize, Option<&str>); 7] = [
        (|at| format!("Jan  1 10:00:{at:02} web app[1]: {at:08x}: "), 2, Some("  ")),
        (|at| format!("Jan  1 10:00:{at:02} web app[1]: {at:08x}  "), 1, Some("  |")),
        (|at| format!("2026-01-01T10:00:00.{at}Z 0x{at:04x}:  "), 2, Some("  ")),
        (|_| "web-1  | ".to_owned(), 4, Some("  ")),
        (|at| format!(" {at:04x} "), 4, Some("  ")),
        (|at| format!("  0x{at:08x} "), 4, Some(" ")),
        (|at| format!("{at:07o} "), 4, None),
    ];
    for (lead, bytes, margin) in dumps {
        let mut dump = String::new();
        for (line, data) in text.as_bytes().chunks(16).enumerate() {
            let words: Vec<String> = data.chunks(bytes).map(hex::encode).collect();
            let shown = data.iter().map(|byte| char::from(*byte));
            let margin = margin.map(|margin| margin.chars().chain(shown).collect::<String>());
            dump +=
                &format!("{}{}{}\n", lead(16 * line), words.join(" "), margin.unwrap_or_default());
        }
        let shown = mask.whole(&dump);
        let left = ["5237", "52 37", "R7/v", "5826", "58 26", "X&b4"];
        let left = left.iter().any(|part| shown.contains(part));
        assert!(shown.contains("***") && !left, "{dump}{shown}");
    }
}

#[test]
fn the_last_digits_of_a_text_may_complete_a_credential() {
    let mask = Mask::of([SECRET]);
    let lines: Vec<String> = SECRET.chars().map(String::from).collect();
    assert_eq!(mask.whole(&lines.join("\n")), "***");
}

#[test]
fn the_masked_text_does_not_depend_on_how_it_is_cut() {
    let mut mask = Mask::of([SECRET]);
    for (what, printed) in PRINTED {
        let text = format!("before {printed} after\nnext line\n");
        let whole = mask.whole(&text);
        for size in [1, 2, 3, 7, 16, 100] {
            let mut said = String::new();
            for piece in text.chars().collect::<Vec<_>>().chunks(size) {
                said.push_str(&mask.push(&piece.iter().collect::<String>()));
            }
            said.push_str(&mask.end());
            assert_eq!(said, whole, "{what} in pieces of {size}");
        }
    }
}

#[test]
fn ordinary_output_stays_as_it_is() {
    let output = "\u{1b}[1mPlan:\u{1b}[0m 3 to add, 0 to change\n00000000: 6865 6c6c 6f0a                           hello.\n\
        0000000   h   e   l   l   o  \\n\nsha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\n";
    let mask = Mask::of([SECRET, "another-Secret-9"]);
    assert_eq!(mask.whole(output), output);
}

#[test]
fn what_is_struck_over_the_last_character_is_masked_too() {
    let mask = Mask::of([SECRET, "Schlüssel-né"]);
    for secret in [SECRET, "Schlüssel-né"] {
        let bold: String = secret.chars().map(|c| format!("{c}\u{8}{c}")).collect();
        assert_eq!(mask.whole(&format!("a {bold} b")), "a *** b");
    }
    assert_eq!(mask.whole("Schlüssel-né\u{8}ü b"), "*** b");
}

#[test]
fn numbers_and_marks_before_its_lines_do_not_hide_a_credential() {
    let lines = ["user: kim", "pin: 4711-22", "  word: Kx9", "end"];
    let mut mask = Mask::of([lines.join("\n").as_str()]);
    let leads: [fn(usize) -> String; 5] = [
        |n| format!("{n:6}\t"),
        |n| format!("{n}:"),
        |n| format!("{n:7} "),
        |_| "> ".to_owned(),
        |_| "+".to_owned(),
    ];
    for lead in leads {
        let text: Vec<_> = (1..).zip(lines).map(|(n, line)| lead(n) + line).collect();
        assert_eq!(mask.whole(&text.join("\n")), lead(1) + "***");
    }
    assert_eq!(mask.push("done\n"), "done\n");
}
