{{- define "porchlight.selector" -}}
app.kubernetes.io/name: porchlight
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "porchlight.labels" -}}
{{ include "porchlight.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* What an instance and the migration have in common. */}}
{{- define "porchlight.pod" -}}
automountServiceAccountToken: false
# Otherwise a service named porchlight becomes variables named PORCHLIGHT_…, beside the settings.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: files
    configMap: { name: {{ .Values.filesName }} }
  - name: tmp
    emptyDir: {}
{{- end }}

{{- define "porchlight.container" -}}
name: porchlight
image: {{ .Values.image | quote }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - { name: PORCHLIGHT_MODE, value: production }
  - { name: PORCHLIGHT_PUBLIC_URL, value: {{ printf "https://%s" .Values.host | quote }} }
  - { name: PORCHLIGHT_MODULES_FILE, value: /etc/porchlight/modules.json }
  {{- range $name, $value := .Values.settings }}
  {{- /* A number as it is in JSON: `quote` alone makes 1e+06 of a million. */}}
  - { name: {{ $name | quote }}, value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }} }
  {{- end }}
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
envFrom:
  - secretRef: { name: {{ .Values.secretName }} }
volumeMounts:
  - { name: files, mountPath: /etc/porchlight, readOnly: true }
  - { name: tmp, mountPath: /tmp }
resources: {{- toYaml .Values.resources | nindent 2 }}
{{- end }}
