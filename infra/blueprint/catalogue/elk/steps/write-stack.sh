
#@write compose.yaml stack/compose.yaml
#@write setup.sh stack/setup.sh
#@write logstash.conf stack/logstash.conf
#@write filebeat.yml stack/filebeat.yml

chmod 755 stack/setup.sh
# Filebeat refuses settings that others may write.
chmod 644 stack/filebeat.yml
