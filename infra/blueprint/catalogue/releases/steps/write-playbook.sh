
mkdir -p app ansible/roles/releases/{tasks,handlers,files}

#@write releases-tasks.yml ansible/roles/releases/tasks/main.yml
#@write releases-handlers.yml ansible/roles/releases/handlers/main.yml
#@write release.sh ansible/roles/releases/files/release.sh
#@write ask-often.py ansible/roles/releases/files/ask-often.py
#@write app.socket ansible/roles/releases/files/app.socket
#@write app.service ansible/roles/releases/files/app.service
#@write app-trial.socket ansible/roles/releases/files/app-trial.socket
#@write app-trial.service ansible/roles/releases/files/app-trial.service
#@write make-release.sh release.sh
chmod 755 release.sh

# The application is the owner's: what is there already stays.
if [[ ! -e app/run ]]; then
  echo "A first application is written to app/"
#@write run.py app/run
  chmod 755 app/run
fi
bash -n release.sh
bash -n ansible/roles/releases/files/release.sh
