"""Tests the extraction of a page's commands, and the port that leads to the emulator's registry."""

import socket
import socketserver
import threading
import unittest

import page
import tunnel

PAGE = """# Operations

## Runbooks

Functions:

```sh
stack=crew
```

### One

Ask (`output Url`), or `infra/one.sh` for help, or `sam deploy
--parameter-overrides A=1`.

```sh
aws one --key '<id>'     # why
for x in a b; do
  aws two "$x" \\
    --more
done
```

```text
no command
```

### Other

1. Then:

   ```sh
   # The third.

   aws three <the number>
   ```

## Not a runbook

```sh
aws never
```
"""


class Page(unittest.TestCase):
    def test_commands_come_from_blocks_and_from_between_sentences_in_their_order(self) -> None:
        functions, runbooks = page.runbooks(page.body(PAGE, "Runbooks"), "###")
        self.assertEqual(functions, "stack=crew\n")
        loop = 'for x in a b; do\n  aws two "$x" \\\n    --more\ndone'
        one = ["output Url", "sam deploy --parameter-overrides A=1", "aws one --key '<id>'     # why", loop]
        self.assertEqual(runbooks, {"One": one, "Other": ["# The third.\n\naws three <the number>"]})

    def test_what_a_reader_fills_in_is_replaced(self) -> None:
        self.assertEqual(page.filled("a <b c> <file >d", lambda name: name.upper()), "a B C <file >d")

    def test_a_block_that_bash_cannot_read_is_not_a_command(self) -> None:
        with self.assertRaises(AssertionError):
            page.split("for x in a; do\n  aws one\n")


class Echo(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.wfile.write(self.rfile.read()[::-1])


class Tunnelled(unittest.TestCase):
    def test_both_directions_and_their_ends_are_passed_on(self) -> None:
        with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            with tunnel.Tunnel(*server.server_address) as way:
                with socket.create_connection(("127.0.0.1", way.port)) as there:
                    there.sendall(b"there")
                    there.shutdown(socket.SHUT_WR)
                    self.assertEqual(there.makefile("rb").read(), b"ereht")
                way.shutdown()
            server.shutdown()


if __name__ == "__main__":
    unittest.main()
