
mkdir -p app ansible/roles/haproxy/{tasks,handlers,templates,files} ansible/roles/app/{tasks,handlers,files}

#@write haproxy-tasks.yml ansible/roles/haproxy/tasks/main.yml
#@write haproxy-handlers.yml ansible/roles/haproxy/handlers/main.yml
#@write haproxy.cfg.j2 ansible/roles/haproxy/templates/haproxy.cfg.j2
#@write app-servers.py ansible/roles/haproxy/files/app-servers.py
#@write ask-often.py ansible/roles/haproxy/files/ask-often.py
#@write app-tasks.yml ansible/roles/app/tasks/main.yml
#@write app-handlers.yml ansible/roles/app/handlers/main.yml
#@write app.service ansible/roles/app/files/app.service

# The application is the owner's: what is there already stays.
if [[ ! -e app/app.py ]]; then
  echo "A first application is written to app/"
#@write app.py app/app.py
fi
for file in app/app.py ansible/roles/haproxy/files/*.py; do
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$file"
done
