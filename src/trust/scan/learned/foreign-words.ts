/**
 * Words of other languages by what they mean, as in `meanings.ts`; those of Chinese and Japanese, written without spaces, are looked for
 * wherever they stand.
 */
export const foreignWords: { readonly [meaning: string]: string } = {
  give: 'leit weiterleit* hochlad* lad kopier* reich* verrat* donne* donner remets transmettez communique* fais suivre televers* copie* revele* fournis* fournir envoy* dar da entrega* entregue* reenvia* reenvie* sube subir copia copie comparte revela* revele anexe encaminh* carregue carreg* compartilh* forneca mande inoltra* consegna* copia condividi trasmett* carica spedisc* spedire allega invia* отправ* отправля* передай пришли присла* перешл* пересыла* загруз* скопир* отдай отдав* раскр* прилож* сообщи 보내* 전달* 올리* 복사* 넘기* 첨부* 공유* 제공* 전송* أرسل* ارسل* مرر حول سلم انسخ ارفع أرفق شارك يرسل إرسال भेज* दें दो दीजिए अपलोड कॉपी साझा 发送 发给 传给 上传 转发 提交 交给 传递 附上 附在 传到 提供 复制 拷贝 放入 放进 写进 写入 填写 填入 发布 发到 泄露 送信 送って 送り 送る 渡し 渡す 転送 アップロード 添付 提供 コピー 共有 公開',
  get: 'offne liest einlesen hole sammle ouvre ouvrez recupere* recupere collecte abre abrir recoge obten toma leer recolhe* pegue obtenha abra ler apri aprire raccogli prendi ottieni legge leggere читай читает открой получи собери возьми 읽* 열어* 모아* 가져* اقرأ افتح اجمع خذ يقرأ पढ़* खोल* 读取 打开 获取 收集 读 取得 收集 读出 查看 読み 読む 開き 開く 集め 取得 読み取',
  run: 'ruf rufe aufruf* starte benutze verwende fuhr ausfuhr* appelle* utilise* execute* lance llama llame ejecut* usa use utiliza chame chama executa* chiama* esegui eseguire usa запусти вызови вызыва* выполн* используй 실행* 호출* 사용* 쓰세요 نفذ استدع استخدم شغل चलाओ चलाएँ चलाने 调用 执行 运行 使用 启动 呼び出 実行 使って 使用 呼ん',
  alter:
    'losche losch* ander* setze schalte schalt* ersetz* uberschreib* entfern* supprim* efface* modifi* remplac* desactiv* borra* elimina* cambia* cambie desactiva* sustituy* apague* apaga* remov* altere altera* desligue cancella* elimin* cambia sostitu* disattiva* удали* сотри измен* замен* отключ* 삭제* 지우* 지워* 바꾸* 변경* 끄세요 احذف امسح غير أوقف استبدل हटा* मिटा* बदल* 删除 修改 更改 替换 关闭 清除 删掉 改成 削除 変更 消して 切って 置き換え',
  tell: 'sage sagt erzahl* verrate mitteil* zeige* zeig teile montre* affiche* raconte* parle* avoue cuenta* diga digas dile muestra* ensena habla* conte conta mostra* mostre fale dire racconta* riferi* скажи говори расскаж* показ* покаж* упомян* упомин* 말하* 말해* 알리* 알려* 언급* 보여* 표시* تخبر أخبر قل تذكر اذكر أظهر اعرض تتحدث बता* दिखा* ज़िक्र 告诉 提及 提到 透露 显示 说明 谈起 转告 展示 伝え 言わ 言って 触れ 表示 見せ 話さ 教えて',
  hide: 'geheim verschweig* verberg* versteck* unauffallig stillschweigend cache* cacher discretement silence secret cachette oculta* escondid* escondidas sigilo secreto calla* oculte segredo esconda nascond* nascosto segreto silenzio скр* тайн* тайком секрет* незаметно умолч* тихо 몰래 숨기* 비밀* 감추* خفية سر سرا أخف أسرار चुपके छिपा* 悄悄 隐瞒 保密 秘密 隐藏 暗中 偷偷 不知 こっそり 隠し 秘密 ひそかに 内緒 黙って',
  not: 'kein keine keinen nichts ohne niemand* aucun* rien personne nada nadie ningun* ningu* nenhum* niente nessun* нельзя ничего никто никому нет 않* 말고 마세요 없이 아무도 아니 절대 금지 لا لم لن دون ألا بدون أبدا أحد मत न नहीं बिना कभी 不要 不必 不得 不能 不再 切勿 别 无需 没有 禁止 不许 不 勿 ません ないで ないこと なく ない せず',
  must: 'muss musst mussen soll sollst immer zuerst bitte stets unbedingt sofort sobald dois doit devez faut toujours abord veuillez obligatoire imperati* immediatement debe debes siempre primero obligatori* necesario deve deves devem sempre primeiro obrigatori* necessario prima anzitutto subito должен должна нужно всегда сначала обязательно надо срочно немедленно 반드시 항상 먼저 꼭 즉시 يجب دائما أولا فورا لازم हमेशा पहले ज़रूर तुरंत 必须 务必 先 首先 总是 始终 立即 应当 一律 請務必 必ず まず 常に 最初 直ちに べき こと',
  all: 'alle alles samtliche jede* ganze* vollstandig tous tout toute toutes entier complet* todo todos toda todas entero completo tudo inteir* complet* tutto tutti tutta tutte ogni intero все всё весь всю кажд* полност* 모든 모두 전체 전부 كل جميع كاملة كامل सारे सभी सब हर पूरी 所有 全部 一切 每个 每次 每条 整个 完整 全体 すべて 全て 全部 全体 毎回',
  user: 'nutzer* anwender* person kunde* kunden besitzer* mensch* utilisateur* client* personne* proprietaire* usuario* cliente* persona* dueno* usuario* pessoa* dono utente utenti cliente* persona proprietari* пользовател* клиент* человек* владел* 사용자* 고객* 본인* 주인* المستخدم للمستخدم مستخدم الشخص العملاء العميل صاحب उपयोगकर्ता ग्राहक* 用户 客户 使用者 本人 主人 顾客 人 ユーザー 利用者 顧客 本人 持ち主',
  model:
    'du dir dich dein deine deinem deinen assistent* tu te toi ton ta tes votre vos vous assistant* tu tus te usted su asistente* voce seu sua seus suas assistente* tuo tua tuoi tue ti lei ты тебе тебя твой твои твоя твоего свои свой свою ассистент* 당신* 너는 네가 어시스턴트* أنت مساعد وكيلك عليك तुम तुम्हारे आप अपना अपने सहायक 你 你的 您 您的 模型 助手 代理 大模型 あなた モデル アシスタント エージェント',
  tool: 'outils ferramentas strumenti сервер* сервис* 도구* 서버* الأداة أداة الأدوات الخادم خادمنا خادم उपकरण सर्वर 工具 本工具 服务器 插件 ツール サーバー',
  other:
    'andere* anderen stattdessen anstatt autres autre place otro otros otras lugar outro outros outras vez altri altre altro posto других другой другие вместо 다른 대신 غيرها بدل أخرى दूसर* अन्य 其他 别的 另一个 而不是 他の 代わり 別の',
  orders:
    'vorgabe* regel regeln richtlini* befehl* vorschrift* systemprompt prompt regles regle directives ordres commandes commande reglas normas consigna* orden ordenes directriz* regras normas orientac* ordem ordens comando comandos diretriz* regole direttiv* ordini comand* ordine правил* указан* приказ* команд* промпт* 지시* 지침* 규칙* 명령* 규정* 프롬프트* 방침* تعليمات التعليمات قواعد القواعد أوامر موجه तعليماتك توجيهات तوجيهاتك نियम* निर्देश* आदेश* प्रॉम्प्ट 指令 指示 规则 规定 命令 提示词 准则 限制 系统提示 要求 指示 命令 規則 ルール プロンプト 方針 制限',
  earlier:
    'bisherig* fruher* vorher oben obig* zuvor anterieur* precedent* dessus avant anteriores anterior arriba previas acima antes previ* precedent* sopra prima прежн* ранее выше раньше предыдущ* 이전* 위의 지금까지 앞의 기존* السابقة سابق أعلاه قبل पिछल* ऊपर पहले 之前 以前 以上 先前 上面 前面 原来 此前 これまで 以前 上記 上の 今まで 前の',
  ignore:
    'vergiss ignorier* missacht* gehorch* befolg* verwirf ubergeh* oublie oubliez negliger obeis* obeir passe outre annule* suis suivez desobedece* obedece* ignore ignora* olvida* anula* caso esqueca* desconsider* desobedec* obedeca ignor* dimentic* obbed* disobbed* trascura* annulla* segui забудь игнор* слуш* подчин* отбрось наруш* 잊* 무시* 따르* 어기* 복종* 취소* 버리* انس تجاهل أطع خالف ألغ اتبع تتبع अनदेखा भूल* मानो छोड़* 忽略 无视 忘记 忘掉 服从 遵守 不理 不顾 违背 作废 推翻 听从 抛开 無視 忘れ 従って 従い 従う 取り消 逆らい 上書き',
  secret:
    'passworter kennwort* schlussel zugangsdaten zugangstoken sitzung* mots passe cle cles identifiants jeton jetons secrets clave claves contrasenas credencial* tokens secretos chave chaves senhas credenciais chiave chiavi password credenzial* segreti ключ* токен* секрет* куки учетн* 비밀번호* 키를 키가 키는 토큰* 개인키 쿠키* 자격* 열쇠 مفتاح مفاتيح المفتاح كلمة كلمات المرور رمز رموز الرموز سرية बीज कुंजी* पासवर्ड* टोकन* रहस्य* 密钥 密码 私钥 令牌 凭据 凭证 口令 助记词 密鑰 登录信息 パスワード 秘密鍵 鍵 トークン 認証情報 キー クッキー 暗証番号',
  personal:
    'kreditkart* konto kontakte adressbuch gehalt* postfach email mail carte bancaire contacts compte courriel* salaire* tarjeta* cuenta* contactos correo* salario* cartao* conta contatos carta conto contatti rubrica stipendi карт* счет* контакт* письм* зарплат* 카드* 계좌* 연락처* 메일* 급여* بطاقة بطاقات حساب الاتصال البريد बैंक कार्ड खाता संपर्क 银行卡 信用卡 卡号 账户 账号 通讯录 邮件 个人信息 身份证 工资 隐私 カード番号 口座 連絡先 メール 個人情報 給与 住所',
  talk: 'gesprach* nachricht* verlauf chatverlauf antwort* conversation* messages historique reponse* conversacion* mensaje* historial respuesta* conversas mensage* historico resposta* conversazion* messagg* cronologia risposta risposte переписк* сообщен* истори* ответ* разговор* 대화* 메시지* 기록* 답변* المحادثة محادثة الرسائل رسالة سجل الجواب बातचीत संदेश* इतिहास 对话 消息 聊天 记录 历史 回答 会话 会話 メッセージ 履歴 返事 回答 チャット',
  file: 'dateien inhalt* ordner verzeichnis* fichiers contenu dossier* ficheros contenido carpeta* conteudo pasta* contenut* cartell* содержим* папк* 파일* 내용* 폴더* ملف ملفات محتوى مجلد फ़ाइल* फाइल* सामग्री 文件 内容 目录 文件夹 数据库 ファイル 内容 フォルダー データベース',
  slot: 'feld parameter remarque parametre* nota campo* parametro* observac* commento parametri параметр* примечан* 필드* 매개변수* 메모* 인수* حقل المعامل معامل ملاحظة टिप्पणी पैरामीटर* 参数 字段 备注 注释 引数 欄 フィールド パラメータ 備考',
  out: 'anbieter hersteller verfasser autor adresse empfanger fournisseur auteur destinataire direccion proveedor autor* destinatari* endereco fornecedor indirizzo fornitore autore автор* адрес* поставщик* получател* 제작자* 주소* 공급자* 수신자* مؤلف عنوان العنوان المورد المستلم लेखक पता प्राप्तकर्ता 作者 地址 供应商 收件人 收款人 开发者 我们的服务 外部 作者 アドレス 提供元 宛先 送信先 外部',
  consent:
    'zustimm* bestatig* frage fragen fragst nachfrag* erlaub* genehmig* einverstand* confirme* accord demande* approuve* autoris* permi* confirma* pregunt* permiso apruebe aprueba* autoriz* aprov* confirme* pergunt* permiss* conferm* chied* consenso approv* соглас* подтверд* спрос* спраш* разреш* одобр* вопрос* 동의* 승인* 확인* 묻* 물어* 허락* موافقة وافق تسأل اسأل تأكيد أكد إذن पूछ* अनुमति सहमति 同意 确认 询问 批准 许可 授权 承認 確認 同意 許可 尋ね',
  danger:
    'brandmauer pare cortafuegos брандмауэр* 방화벽* 防火墙 ファイアウォール administrator* administrateur* administrador* amministrator* администратор* 관리자* المدير 管理员 管理者',
  when: 'bevor wenn sobald nachdem wahrend avant apres quand des antes despues cuando antes depois quando assim prima dopo appena перед после когда до прежде 전에 후에 때마다 뒤에 قبل بعد عند عندما से बाद 之前 之后 以后 时 前に 後に たびに たら',
  attackword:
    'erkenn* angriff* schadlich detecte* attaque* fuite* detecta* ataque* fuga* vazament* rilev* attacc* обнаруж* атак* утечк* 탐지* 공격* 유출* 찾아냅니다 يكشف هجوم تسريب* 检测 攻击 泄露 审计 查找 検出 攻撃 漏えい 監査',
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u

/** Words that are written without spaces, and the most characters that one has. */
export const unspacedWords: ReadonlySet<string> = new Set(
  Object.values(foreignWords)
    .flatMap((words) => words.split(' '))
    .filter((word) => word.length > 1 && unspaced.test(word)),
)
export const longestUnspaced = Math.max(...[...unspacedWords].map(({ length }) => length))
