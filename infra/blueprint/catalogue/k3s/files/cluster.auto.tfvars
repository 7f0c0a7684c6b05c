servers = @servers@
