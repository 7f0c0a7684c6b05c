
mkdir -p ansible/roles/nginx/{defaults,tasks,handlers,templates} ansible/roles/certificate/tasks
mkdir -p ansible/roles/django/{tasks,handlers,templates} app/site_of_app

#@write certificate.yml ansible/certificate.yml
#@write nginx-defaults.yml ansible/roles/nginx/defaults/main.yml
#@write nginx-tasks.yml ansible/roles/nginx/tasks/main.yml
#@write nginx-handlers.yml ansible/roles/nginx/handlers/main.yml
#@write django-site.conf.j2 ansible/roles/nginx/templates/site.conf.j2
#@write index.html.j2 ansible/roles/nginx/templates/index.html.j2
#@write certificate-tasks.yml ansible/roles/certificate/tasks/main.yml
#@write django-tasks.yml ansible/roles/django/tasks/main.yml
#@write django-handlers.yml ansible/roles/django/handlers/main.yml
#@write app-web.service.j2 ansible/roles/django/templates/app-web.service.j2
#@write app-worker.service.j2 ansible/roles/django/templates/app-worker.service.j2

# The application is the owner's: what is there already stays.
if [[ ! -e app/manage.py ]]; then
  echo "A first application is written to app/"
#@write manage.py app/manage.py
#@write settings.py app/site_of_app/settings.py
#@write urls.py app/site_of_app/urls.py
#@write tasks.py app/site_of_app/tasks.py
#@write celery.py app/site_of_app/celery.py
#@write wsgi.py app/site_of_app/wsgi.py
#@write package.py app/site_of_app/__init__.py
fi
for file in app/manage.py app/site_of_app/*.py; do
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$file"
done
