import type { PhraseRule } from '../phrases/phrase-rule.ts'

const get =
  'read|open|load|cat|fetch|retrieve|collect|gather|access|get|grab|take|look_up|lookup|extract|scan|copy|find|locate|inspect|obtain|harvest|list|dump|print|query|search'
const give =
  'pass|put|send|include|attach|append|provide|paste|insert|embed|forward|upload|post|submit|transmit|supply|encode|place|add|copy|write|return|report|mail|email|deliver|store|share|use|leak|exfiltrate|set|concatenate|serialize|base64|smuggle|relay|hand|give|surrender|disclose|fill|transfer|stuff'
/** Files and stores that hold keys, and that no description has business with. */
const keyFile =
  'ssh_id|id_rsa|id_ed25519|id_ecdsa|id_dsa|ssh_config|ssh_authorized_keys|aws_credentials|aws_config|mcp_json|claude_desktop_config|claude_json|cursor_mcp|etc_passwd|etc_shadow|netrc|npmrc|pypirc|git_credentials|kube_config|kubeconfig|docker_config_json|wallet_dat|keychain|login_keychain|credential_store|cookies_sqlite|login_data|dotenv|env_file|env_files|env_local|env_production|env|ssh_key|ssh_keys|ssh_private_key|private_key|private_keys|seed_phrase|recovery_phrase|mnemonic|bash_history|zsh_history|shell_history|password_store|gnupg|application_default_credentials|pgpass|ssh_directory|ssh_folder|ssh|aws_directory|browser_cookies|session_cookies|saved_passwords|password_manager|shadow_file|terraform_tfstate|service_account_json|access_key_file|gcloud'
/** The same without names that turn up in honest prompts as well. */
const keyFileAlone = keyFile
  .split('|')
  .filter(
    (name) =>
      ![
        'env',
        'ssh',
        'private_key',
        'private_keys',
        'keychain',
        'gcloud',
        'dotenv',
        'env_file',
        'env_files',
        'login_data',
      ].includes(name),
  )
  .join('|')
/** What the model knows and its reader has not published. */
const conversation =
  'conversation|conversations|chat|chat_history|conversation_history|message_history|transcript|dialogue|dialog|messages|context_window|chat_log|history|thread'
const ownPrompt =
  'system_prompt|system_message|system_instruct*|hidden_instruct*|initial_instruct*|developer_message|developer_prompt|initial_prompt|own_instruct*|secret_instruct*|system_prompts|pre_prompt|preprompt'
const secrets =
  'api_key|api_keys|access_token|access_tokens|tokens|credentials|passwords|password|secrets|environment_variables|env_vars|environment_variable|session_token|session_tokens|auth_tokens|bearer_token|bearer_tokens|credit_card*|card_number*|cookies|private_data|personal_data|login_data|keys|2fa_code*|one_time_code*|verification_code*|pin_code*|social_security_number*'
const place =
  'parameter|parameters|argument|arguments|field|fields|property|query_string|url|header|headers|payload|body|note|notes|sidenote|side_note|metadata|context|input|memo|comment|remarks|value|tag|annotation|footer|filename|subject|path|caption|description|signature'
const outside =
  'http|https|webhook|url|endpoint|ftp|telegram|discord|pastebin|ngrok|collector|beacon|callback'

/** Text that would have the model hand over files, secrets or what was said to it. */
export const asksForPrivateData: PhraseRule = {
  name: 'asks-for-private-data',
  says: 'asks the model for private files, secrets or the conversation',
  phrases: {
    grave: [
      `${get} ..5 ${keyFileAlone} ..12 ${give} ..8 ${place}|${outside}|it|them|contents|result|output|content|this`,
      `${give} ..1 ${keyFileAlone} ..6 ${place}|${outside}`,
      `${give} ..3 content|contents|text|data|value|values|bytes|copy ..4 ${keyFileAlone}`,
      `content|contents|text|value ..4 ${keyFileAlone} ..8 ${give}|passed|put|sent|included|placed|as|into ..4 ${place}|${outside}|here|this_tool|call`,
      `${give} ..4 ${ownPrompt} ..6 ${place}|${outside}|verbatim|this_tool|full|here`,
      `send|forward|upload|post|transmit|exfiltrate|leak|mail|email|relay|deliver|report ..3 user*|their|all|any|every|your|stored|saved|found|available|collected ..3 ${secrets} ..8 ${outside}`,
      `send|forward|upload|post|transmit|exfiltrate|mail|email|copy|relay ..4 conversation|chat_history|conversation_history|transcript|chat_log|message_history|whole_chat|entire_chat ..8 http|https|webhook|ftp|telegram|discord|pastebin|ngrok|collector|attacker`,
    ],
    strong: [
      `first|last|whole|all|full|every ..3 characters|bytes|lines|line|text|part|section|word|words ..2 of|from ..2 ${keyFileAlone}`,
      `${keyFileAlone} ..4 read|open|load|fetch ..2 it|them ..2 and|then ..2 ${give}`,
      `summary|copy|digest|transcript ..1 of ..2 all|everything|what|whatever ..2 user|users|human|customer|person ..3 said|told|wrote|confided|typed|shared|asked|entered|revealed`,
      `${give} ..2 instruct*|orders|rules|guideline*|prompt ..1 you ..2 given|got|received|have|were ..8 ${place}|${outside}`,
      `attach|upload|send|mail|hand|submit|include|leak|post|forward|exfiltrate|copy ..2 ${keyFileAlone} ..5 to|with|in|into|as|via`,
      `${place} ..2 must|should|has_to|needs_to|shall ..2 hold|contain|be|carry|include ..3 whole|entire|full|complete|all ..3 ${conversation}|${ownPrompt}`,
      `send|forward|upload|post|transmit|copy|relay ..1 the|this|our|whole|entire|full|current ..1 chat|messages|thread|dialogue ..8 http|https|webhook`,
      'exfiltrate|exfil|siphon ..4 data|file|files|secret*|credential*|key|keys|token*|content*|conversation|history|repository|code|information',
      `${get} ..5 ${keyFile} ..12 ${give} ..8 ${place}|${outside}|it|them|contents|result|output|content|this`,
      `${get} ..5 ${keyFile} ..14 ${give} ..6 tool|function|call|server|api|parameter|argument|field`,
      `${get} ..4 user|users|your|their|my|all|any|hosts|local ..2 ${keyFile}|${ownPrompt} ..8 ${give}|before|first`,
      `${keyFile} ..4 must|should|has_to|have_to|needs_to|need_to ..2 be ..3 passed|sent|included|attached|provided|put|placed|appended|uploaded|read|supplied|copied`,
      `${give} ..3 full|entire|complete|whole|verbatim|all|every|exact|raw|unabridged|unredacted ..4 ${conversation} ..10 ${outside}|${place}|verbatim|every_call|each_call|hidden`,
      `${give} ..3 full|entire|complete|whole|verbatim|all|exact|raw|your|the ..2 ${ownPrompt}`,
      `${ownPrompt} ..4 verbatim|in_full|word_for_word|unmodified|in_its_entirety|complete*|exact*`,
      `${give} ..5 everything ..4 user|users|human|customer ..3 said|told|typed|wrote|entered|pasted|shared|written|has`,
      `${give} ..4 any|all|every|users|their|known|visible|available|stored|other ..3 ${secrets} ..6 seen|found|know|known|encounter*|conversation|context|environment|you|memory|session|user`,
      `${give} ..4 ${secrets} ..3 from_the|found_in|of_the|stored_in|from ..3 conversation|environment|context|memory|browser|previous|other|user|users|host|machine|clipboard|session`,
      `${get} ..3 all|every|users|user|any|the ..3 environment_variables|env_vars|passwords|credentials|secrets|tokens|cookies|api_keys ..10 ${give} ..8 ${place}|${outside}|it|them|this_tool|result|call`,
      `append|add|attach|include|encode|put|embed|concatenate ..6 ${conversation}|${ownPrompt}|secret|data|answer|context ..6 url|query_string|link|image|src|domain|subdomain|hostname|path ..8 http|https|render|load|display|fetch|request|image|markdown|parameter|open`,
      // German, French, Spanish, Portuguese, Italian
      `lies|lese|lesen_sie|offne|kopier*|ubergib|ubergeben_sie|sende|senden_sie|schick*|fug*|hang*|ubermittle* ..8 ${keyFile}|systemprompt*|gesprachsverlauf|chatverlauf|zugangsdaten|passwort*|umgebungsvariable*|schlussel|privat*_schlussel ..10 parameter*|feld|argument*|http|https|url|als|mit|an|weiter|server|notiz*|ubergib|sende|schick*|ein|bei`,
      `inhalt* ..5 ${keyFile}|systemprompt*|schlussel`,
      `lis|lisez|lire|ouvre|copie*|envoie|envoyez|transmet*|joins|joignez|ajoute*|insere*|passe|place* ..8 ${keyFile}|cle_privee|cles_privees|invite_systeme|prompt_systeme|historique|identifiants|mots_de_passe|mot_de_passe|variables_d_environnement|conversation ..10 parametre*|champ|argument*|http|https|url|serveur|adresse|dans|via|contenu|note*`,
      `contenu ..5 ${keyFile}|cle_privee|invite_systeme|prompt_systeme`,
      `lee|lea|abre|copia*|envia*|envie|manda*|adjunta*|incluye|incluya|inserta*|pasa|leia|anexe|inclua|leggi|invia|allega|transmite ..8 ${keyFile}|clave_privada|claves_privadas|chave_privada|historial|historico|contrasena*|credenciales|credenciais|credenziali|senha*|password|variables_de_entorno|conversacion|conversa|conversazione|mensaje_del_sistema|prompt_del_sistema ..10 parametr*|campo|argument*|http|https|url|servidor|direccion|como|server|nota*|en|no`,
      `contenido|conteudo|contenuto ..5 ${keyFile}|clave_privada|chave_privada`,
      // Russian
      `прочита*|прочти*|открой*|скопируй*|отправ*|передай*|передавай*|вставь*|приложи*|добавь*|перешли*|включи* ..8 ${keyFile}|ключ|ключи|ключа|ключей|переписк*|истори*|парол*|токен*|системн*_промпт|системный_промпт|системного_промпта|переменн*|учетн* ..10 параметр*|поле|аргумент*|http|https|url|сервер*|адрес*|в|на|как|вместе`,
      `содержим* ..5 ${keyFile}|ключа|ключей|файла_с_ключ*|закрыт*`,
      // Chinese, Japanese, Korean
      `读取|打开|复制|获取|收集|讀取|把|将|將 ..10 ${keyFile}|私钥|密钥|系统提示|聊天记录|对话历史|对话记录|全部对话|密码|凭证|环境变量|令牌|聊天紀錄|對話紀錄|系統提示|密碼|会话内容|对话内容|完整对话 ..16 参数|字段|发送|传|上传|附|填|放|提交|http|https|url|網址|參數|欄位|發送|写入`,
      `${keyFile}|秘密鍵|システムプロンプト|会話履歴|チャット履歴|パスワード|環境変数|認証情報|トークン|会話全体|会話の全文|会話内容 ..12 読み|取得|コピ|送|渡|含め|添付|入れ|引数|パラメ|指定|貼り|転送|読んで ..20 引数|パラメ|送|渡|http|https|url|含め|入れ|添付|フィールド|欄`,
      `${keyFile}|비밀번호*|대화* ..8 읽*|복사*|전송*|보내*|포함*|첨부* ..8 매개변수*|인자*|필드*|http|https|url|서버*|전달*|보내*`,
    ],
    weak: [
      `${get} ..4 ${keyFile}`,
      `${give} ..3 full|entire|complete|whole|verbatim|all ..4 ${conversation}`,
      `${give} ..5 ${ownPrompt}`,
      `${give} ..4 users|their ..2 ${secrets}`,
    ],
  },
}
