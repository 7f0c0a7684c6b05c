app_servers = @app_servers@
