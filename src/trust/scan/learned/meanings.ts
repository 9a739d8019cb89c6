import { wordForm } from '../phrases/phrase.ts'
import { foreignWords } from './foreign-words.ts'

/**
 * Words by what they mean in a text that instructs, so that what was learned of one holds for its like, in several languages.
 * `*` stands for any ending; a word belongs to the first class that names it.
 */
const classes: { readonly [meaning: string]: string } = {
  give: 'send sends sent sending pass passes passed passing forward forwards forwarded forwarding upload* transmit* post posts posted submit* attach* append* deliver* relay* hand hands handed handing mail mails mailed mailing supply supplies supplied enclos* leak* exfiltrat* smuggl* transfer* mirror* share shares shared sharing disclos* report reports reported return returns returned put puts paste pastes pasted insert* embed* include includes included including add adds added adding fill fills provide provides provided copy copies copied copying duplicate* bcc cc place places placed write writes written writing store stores stored save saves saved encode* export* publish* push pushes pushed ship ships shipped stream streams streamed emit emits emitted carry carries carried contribute* route routes routed redirect* sende senden schick* ubergib ubergeben ubermittl* envoie* envoyez transmet* envia* envie manda* adjunt* anexe invia allega przeka* отправ* передай* передава* wyslij* gonder* ajoute* joins give gives gave given giving surrender* furnish* drop drops dropped dropping feed feeds fed tuck* stash* echo echoes echoed sync syncs synced beam* backup backups repeat repeats repeated yield* dispatch* convey* communicat* donate* lend',
  get: 'read reads reading open opens opened opening load loads loaded fetch* retriev* collect collects collected gather* access accesses accessed grab* obtain* harvest* list lists listed dump* look looks scan scans search searches locate* extract* capture* record records recorded cat query queries inspect* pull pulls pulled download* snapshot* enumerat* read_file lies lese lis lisez lee lea leia leggi прочита* odczytaj* take takes took taken taking receive* pick picks picked know knows known see sees seen find finds found learn* memoris* memoriz*',
  run: 'run runs running execut* call calls called calling invok* launch* trigger* start starts started use uses used using eval evaluat* install* perform* issue issues',
  alter:
    'delete* deleting remov* erase* erasing wipe* wiping drop drops modif* edit edits change changes changed changing set sets setting replac* overwrit* rewrit* alter* swap* substitut* disable* disabling enable* enabling deactivat* uninstall* rename* reset* lower lowers weaken* loosen* relax* commit commits merge merges purge* truncat* revert* tamper* turn switch switches move moves moved moving spend spends buy buys bought sell sells sold waive* waived lift lifts lifted roll rolls clean cleans clear clears increase* decrease* close closes closed cancel* forge* vote votes',
  tell: 'tell tells told telling inform* notif* mention* reveal* disclose* explain* say says said saying announc* warn* alert* describe* discuss* admit* acknowledg* display* show shows shown showing surface surfaces raise raises raising speak* talk* brief bring brings bringing note notes sag* erwahn* inform* dis dites mencion* avis* сообща* говори* mow* soyle* notice notices noticed spoke wording hint hints cite cites quote quotes quoted print prints printed',
  hide: 'hide hides hidden hiding secret* covert* silent* quiet* discreet* conceal* unnotic* invisib* suppress* omit* omits unmention* stealth* unseen confidential* discreet* privately unobtrusiv* unaware behind heimlich unbemerkt insu втайне keep keeps kept keeping leave leaves leaving aside away withhold* disguise* mask masks masked cover covers deny denies denied dim obscure* background sealed',
  not: 'not never no dont doesnt without cannot cant mustnt shouldnt neednt wont avoid* nor nothing none nobody neither refrain* skip skips skipping skipped omit bypass* nicht nie niemals ne pas jamais sin no nunca nao sem non senza не никогда без nie unnecessary needless unless hardly less least neither waived un',
  must: 'must should shall always need needs needed has have required requires mandatory obligat* necessar* expected supposed ought kindly please ensure* remember important* immediately first instead before after whenever want wants wanted would will sure also ahead step steps precede* proceed begin begins continue* going comes come then next therefore hence duty obliged duties bound',
  all: 'all every each any whatever everything anything entire whole complete full fully regardless everywhere always whichever everyone verbatim raw',
  user: 'user users human humans customer customers person people client clients operator operators owner owners member members reader readers employee employees colleague* anyone anybody someone them their they he she his her nutzer* benutzer* utilisateur* usuari* utente utenti пользовател* uzytkownik* kullanic* whoever guest guests shopper* household* supervisor* caller* callers somebody holder* reviewer* manager* patient* pupil* student* team staff tenant* subscriber* citizen*',
  model:
    'assistant assistants model models agent agents ai llm llms you your yourself bot chatbot orchestrator planner caller host claude chatgpt gpt copilot modell modele modelo modello модел*',
  tool: 'tool tools function functions server servers plugin plugins connector connectors skill skills api mcp werkzeug* outil* herramienta* ferramenta* strumento инструмент* narzedzi*',
  other: 'other others another else alternative* competitor* competing rival* different elsewhere',
  orders:
    'instruction* prompt prompts directive* guideline* guidance rule rules polic* order orders command commands restriction* safeguard* guardrail* limitation* constraint* anweisung* consigne* instruccion* instruco* istruzion* инструкц* указани* polecen* direction directions duty goal goals clause clauses safety moral ethics',
  earlier:
    'previous* prior earlier preceding former above existing initial original originally old past already so vorherig* precedent* anterior* предыдущ* poprzedni*',
  ignore:
    'ignore ignores ignoring disregard* forget* overrid* overrul* supersed* discard* outrank* abandon* obey* comply complies follow follows following followed heed trust trusts trusted accept accepts ignorier* oublie* olvid* ignora* игнорир* zignoruj',
  secret:
    'password* credential* token tokens secret secrets key keys apikey cookie cookies passphrase* seed wallet wallets ssh rsa aws env netrc npmrc kube kubeconfig gnupg keychain keyring vault login logins certificate* pem passwd shadow history bearer session sessions bashrc zshrc passwort* contrasen* senha* mot парол* hasl* auth oauth recovery mnemonic payroll pin otp hash hashes master',
  personal:
    'personal private salary salaries medical health passport* address addresses phone phones birth contacts contact employer family confidential inbox mailbox calendar photo photos clipboard screenshot* microphone camera location ssn card cards iban account accounts bank banking invoice* payment payments payee beneficiary',
  talk: 'conversation* chat chats transcript* message messages thread threads dialogue* context session history reply replies answer answers response responses question questions request requests turn turns output outputs prompt memory memories gesprach* verlauf conversacion conversa historique historial переписк*',
  file: 'file files folder folders directory directories document documents repository repositories repo repos workspace disk drive home path paths config configuration settings database table tables code codebase source env variables variable environment datei* fichier* archivo* arquivo* файл* plik* contents content printenv bucket backup desktop terminal',
  slot: 'parameter* argument* field fields input inputs value note notes remark remarks comment comments metadata header headers payload body tag label caption query notiz* champ campo поле param memo trace hint salt remainder suffix prefix extra annotation footnote subject',
  out: 'http https url urls webhook* endpoint* server host domain address link links image picture pixel beacon external remote website site page pages gist pastebin channel recipient* inbox upstream proxy partner* vendor* archive relay adresse cloud party third github whatsapp slack stripe broker supplier* maker provider* author authors sender',
  consent:
    'confirm* approv* permission* consent* authoriz* authoris* agree*  dialog*  ask asks asking asked  review reviews preview* verification verify sign cleared authoris* granted implied allow* dry',
  persist:
    'memory memories remember* startup autostart cron* crontab bashrc zshrc profile permanent* persist* future later forever henceforth onward* rules claude cursorrules agents md gitconfig hook hooks authorized scheduled registry login daemon systemd launchd',
  danger:
    'sudo root admin administrator shell bash sh powershell curl wget chmod firewall antivirus unsafe elevated privilege* force unreviewed unchecked unverified insecure backdoor vulnerab* exploit* malicious',
  cause:
    'because since otherwise fail fails error errors invalid reject* corrupt* breaks else penalt* violation* else',
  when: 'when whenever if once after before while during until each time upon wenn quand cuando когда',
  attackword:
    'attack* inject* jailbreak* detect* phish* malware threat* suspicious adversar* sanitiz* sanitis* hijack* spoof* harden* vulnerabilit* moderat* classif* block* flag flags',
  claim:
    'security legal complian* audit* official* certif* developer* anthropic openai google department law lawful regulat* court police emergency urgent* trusted behalf licence license terms maintainer* maintenance ceo boss management government ministry warrant authority authorities accredit* standard protocol specification verified sicherheit* geschaftsleitung behord* legge direccion direktion руководств* безопасност* закон* 보안 경영진 정부 领导 公司 安全部门 政府 官方 法律 経営陣 セキュリティ部門 公式 政府',
  deceive:
    'pretend* fake fakes faked false falsely lied lying harmless innocent* invent* cheat* decoy deceiv* mislead* fool fools trick tricks seem seems appear appears imitat* impersonat* tauschen finge fingir finja fingi притвор* 속이 假装 谎称 ふり 偽',
  we: 'we us our ours me my mine uns unser unsere unserem unseren nous notre nos nosotros nuestro nuestra nuestros nosso nossa nossos noi nostro nostra nostri нам наш наши наша нас 우리 저희 我们 我们的 私たち 当社 弊社 لنا خادمنا إلينا हमें हमारे',
  reason:
    'quality convenience purpose purposes sake speed diagnos* debug* telemetry statistic* improve* personali* quota training analytics analysis calibrat* optimi* billing support licensing statistik* statistiques estadisticas статистик* 统计 統計 통계',
  prefer:
    'better best favour* favor* rank ranks ranked ranking top win wins winner prefer* recommend* choose chooses choice superior brand market outdated broken slow unreliable deprecated inferior leading',
  example: 'example examples eg like such sample samples instance',
}

const exact = new Map<string, string>()
const open: (readonly [start: string, meaning: string])[] = []
for (const [meaning, words] of [...Object.entries(classes), ...Object.entries(foreignWords)]) {
  for (const word of words.split(' ')) {
    const form = wordForm(word.replace(/\*$/, ''))
    if (word.endsWith('*')) open.push([form, meaning])
    else if (!exact.has(form)) exact.set(form, meaning)
  }
}
const byStart = new Map<string, (readonly [start: string, meaning: string])[]>()
for (const entry of open) {
  const start = entry[0].slice(0, 3)
  byStart.set(start, [...(byStart.get(start) ?? []), entry])
}

/** The class of a folded word, or undefined. */
export const meaningOf = (form: string): string | undefined =>
  exact.get(form) ?? byStart.get(form.slice(0, 3))?.find(([start]) => form.startsWith(start))?.[1]
