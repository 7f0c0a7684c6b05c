"""terminado on its own: a shell for each WebSocket. Prints its address."""

import signal

import tornado.httpserver
import tornado.ioloop
import tornado.netutil
import tornado.web
from terminado import TermSocket, UniqueTermManager

# A shell script starts its background jobs with Ctrl-C ignored, and every program in the terminals would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
manager = UniqueTermManager(shell_command=["bash", "--norc", "--noprofile"])
site = tornado.web.Application([(r"/ws", TermSocket, {"term_manager": manager})])
sockets = tornado.netutil.bind_sockets(0, "127.0.0.1")
tornado.httpserver.HTTPServer(site).add_sockets(sockets)
print(f"ws://127.0.0.1:{sockets[0].getsockname()[1]}/ws", flush=True)
tornado.ioloop.IOLoop.current().start()
