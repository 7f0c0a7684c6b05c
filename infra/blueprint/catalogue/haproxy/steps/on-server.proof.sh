sudo haproxy -c -q -f /etc/haproxy/haproxy.cfg
sudo app-servers list
ask-often 2 http://127.0.0.1/
