import { expect, test } from 'vitest'
import { englishOf } from '../../src/retrieval/glossary/english-of.ts'
import { lightStem } from '../../src/retrieval/text/analyze.ts'

/** Words in other forms than the glossaries have them, and a word that their English must say. */
const forms: { readonly [language: string]: string } = {
  // Articles, prepositions and conjunctions before a word; pronouns, number and ta marbuta behind it; persons of verbs.
  ar: `
    وفاتورتي invoice, بالفواتير invoice, رسالتك message, لرسائلهم message, وصفحاتنا page, قائمتها list, للقائمة list,
    مكتبتكم library, سيارته car, وسيارتها car, الشركتين company, لشركاتهم company, كالمدير manager, بحسابه account,
    حساباتهم account, وحسابك account, ملفاتي file, بالملفين file, فالملف file, مجلداتها folder, والمجلد folder,
    صورتي image, بصورها image, وجداوله table, خادمه server, خوادمهم server, وطلباتك order, بتعليقاته comment,
    لموعدها appointment, اجتماعاتنا meeting, واجتماعكم meeting, مشروعهم project, لمشاريعنا project, غرفتي room,
    فندقهم hotel, تذكرته ticket, وتذاكرها ticket, محفظتها wallet, لفريقي team, أسعارها price, وأسعاره price,
    عنوانهم address, وأرسلها send, سأرسله send, يرسلون send, ترسلي send, أرسلتها send, ليرسلوا send, واحذفه delete,
    سنحذف delete, احذفوا delete, يكتبونها write, ونكتبه write, وسأكتب write, فاكتبي write, ستظهر appear,
    يستخدمونه use, سنستخدم use, واستخدمها use, حفظناه save, ليحفظها save, ترجمتها translate, وترجموا translate,
    سيترجم translate, لنقارن compare, يحللون analyze, واشرحي explain, وينزلها download, شراءه buy,
    سيشترون buy, دفعنا pay, ليدفعوا pay, تحديثاتها update, مستواها level, وقل say, طابعته printer`,
  // Cases and number, short and long adjectives, aspects and persons of verbs, numbers with a word.
  ru: `
    счетами account, отчётов report, отчётами report, документам document, файлами file, папках folder, письмам email,
    письмами email, заказов order, заказами order, покупателям customer, клиентами customer, сотрудников employee,
    встречами meeting, задачам task, задачами task, билетами ticket, гостиницах hotel, поездов train, рейсов flight,
    городах city, улицам street, картинками picture, фотографиями photo, песен song, фильмов movie, книгами book,
    страниц page, таблицами table, серверами server, ошибками error, уведомлений notification, паролей password,
    пользователями user, ценами price, погоды weather, дождей rain, новостях news, дешёвыми cheap, дорогую expensive,
    новыми new, больших big, последними last, бесплатных free, отправлю send, отправьте send, отправили send,
    удалите delete, удалили delete, создадим create, создавал create, найдите find, покажите show, откройте open,
    закройте close, переведите translate, сравните compare, посчитайте count, запишите record, купите buy,
    оплатите pay, забронируйте book, отменили cancel, обновите update, загрузите upload, скачайте download,
    проверьте check, объясните explain, напишите write, переименуйте rename, копируйте copy, топ-20 top, 24ч hour,
    кого-нибудь anyone`,
  // Elisions and accents, number and gender, verbs with pronouns behind them, and the imperative.
  it: `
    fatture invoice, ordini order, clienti customer, cartelle folder, documenti document, immagini image, voli flight,
    alberghi hotel, biglietti ticket, riunioni meeting, appuntamenti appointment, prezzi price, conti account,
    pagamenti payment, spedizioni shipment, negozi shop, ricette recipe, canzoni song, notizie news, città city,
    strade street, treni train, errori error, tabelle table, righe row, colonne column, pagine page, messaggi message,
    "l'ordine" order, "dell'utente" user, "all'albergo" hotel, "nell'archivio" archive, "un'immagine" image,
    "sull'agenda" calendar, "c'è posta" mail, perché why, mandala send, mandaglielo send, spediscilo send,
    inviameli send, cancellalo delete, cancellarli delete, eliminale delete, aprila open, aprirlo open, chiudila close,
    scrivimi write, scriverle write, leggilo read, traducila translate, tradurlo translate, cercami search,
    trovamelo find, mostrami show, mostraci show, aggiornalo update, scaricala download, caricali upload,
    prenotalo book, prenotarne book, pagala pay, comprane buy, spiegami explain, confrontali compare,
    riassumila summarize, rinominala rename, copiala copy, salvale save, contali count, convertilo convert`,
  // Verbs apart from their particle, participles and "zu" within them, comparatives, cases, umlauts and compounds.
  de: `
    lade das Bild hoch upload, ladet alle Dateien hoch upload, sag das Treffen ab cancel, trage den Termin ein enter,
    reiche den Antrag ein submit, führe die Dateien zusammen merge, wandle das Bild um convert, mach das Licht aus turn,
    fülle das Formular aus fill, lege einen Ordner an create, leite die Mail weiter forward, nimm das Gespräch auf record,
    brich den Lauf ab abort, rufe den Kunden an call, melde mich vom Rundbrief ab unsubscribe, werte die Umfrage aus analyze,
    schlägt den Preis vor suggest, lädt die Gäste ein invite, benenne die Datei um rename, setze das Passwort zurück reset,
    hochgeladene Dateien uploaded, die Datei hochzuladen upload, den Müll rauszubringen trash, gespeicherte Karten saved,
    geantwortet answered, aufgerufen called, günstiges Zimmer cheap, schlechte Bewertung bad, offenen Rechnungen invoice,
    Bäume tree, Häuser house, Kündigungsfristen notice, Rechnungsnummern invoice, Zahnarzttermin dentist,
    12 Zoll inches, Brustkrebs cancer, erledigten Aufgaben task, Berechtigungen permission, Stellenanzeigen posting,
    Überschneidungen overlap, verschlüsselter Ordner encrypted, Gehaltsabrechnungen payslip, freien Termine slot,
    vorgeschlagene Orte place, umgerechnet convert, Vertrags contract, bearbeitest edit, sendet send, bezahlte paid,
    sucht search, kauften buy, veralteten outdated, ähnlichen similar, vegetarisches vegetarian, schnellsten fastest,
    täglicher daily, Schülern student, Krankmeldungen sick, Haltepunkte breakpoint, Kalendereinträge calendar,
    Mondfinsternis eclipse, Wechselrichter inverter, dürfte may, Rufbereitschaft call, Streudiagramm scatter`,
  // Inversions and elisions, plurals and feminine forms, persons and tenses of regular verbs.
  fr: `
    fait-il beau nice, "a-t-il été livré" delivered, "l'hôtel" hotel, "qu'il pleut" rain, rappelle-moi remind,
    rappelez-moi remind, téléverse upload, téléversez upload, téléchargeons download, supprimera delete, modifiait edit,
    traduisez translate, convertissez convert, remplissez fill, vendent sell, répondez answer, envoient send,
    nettoyez clean, fusionnent merge, comparait compare, calculons calculate, réservées booked, annulées cancelled,
    factures impayées unpaid, journaux log, locaux local, nationale national, actives active, meilleures best,
    heureuse happy, anciennes old, naturelles natural, bateaux ship, prix price, abonnés subscriber, clientes customer,
    devis quote, échéances deadline, congés vacation, "arrêt maladie" sick, virement transfer, "mot de passe" password,
    "pièces jointes" attachment, "mal à la gorge" throat, "cancer du sein" breast, "écart-type" deviation, hublot window,
    "trois-pièces" apartment, astreinte call, "pas cher" cheap, "en retard" late, désinscris unsubscribe, pivoter rotate,
    mairie hall, préavis notice, courgettes zucchini, main main, "cet été" summer, bouchons traffic, paquets package,
    brouillons draft, corbeille trash, "fais suivre" forward, plantage crash, doublons duplicate, capteurs sensor`,
  // Stems with other vowels, spellings before e and i, pronouns behind verbs, plurals in -ces and -es.
  es: `
    cuéntame tell, pídeme order, muéstrame show, envíamelo send, borrarlos delete, guárdalas save, organice organize,
    busquemos search, paguen pay, lleguen arrive, empiecen start, encuentren find, duermen sleep, resuelvan solve,
    vuelvan return, prefiero prefer, repitan repeat, corrigen fix, traduzca translate, subieron upload, descargaron download,
    eliminaron delete, comparaba compare, calculábamos calculate, cancelaré cancel, reservaremos book, compraría buy,
    enviando send, escribiendo write, abrieron open, cerrados closed, pagadas paid, veces times, luces light, voces voice,
    ciudades city, canciones song, reuniones meeting, imágenes image, órdenes order, papeles paper, leyes law, jueces judge,
    nuevas new, baratas cheap, últimos last, médicas medical, "da de baja" unsubscribe, "da de alta" register,
    "por la tarde" afternoon, "fuera de servicio" service, "cáncer de mama" breast, "hacer la compra" shopping,
    pulgadas inches, hueco slot, entradas ticket, ordenador computer, celular phone, boletos ticket, nóminas payroll,
    atascos traffic, borradores draft, adjuntos attachment, cortafuegos firewall, "llave foránea" foreign, festivos holiday`,
  // Plurals in -ões, -ais and -ns, spellings before e and i, pronouns behind a hyphen, Brazil and Portugal.
  pt: `
    enviá-lo send, apagá-los delete, mostra-me show, lembre-me remind, envia-lhe send, organizem arrange, busquei search,
    paguei pay, cheguem arrive, comecem start, encontraram find, enviaram send, apagaram delete, compararam compare,
    calculamos calculate, cancelarei cancel, reservaremos book, compraria buy, enviando send, escrevendo write,
    abriram open, fechados closed, pagas paid, reuniões meeting, canções song, informações information, animais animal,
    papéis paper, imagens image, mensagens message, jovens young, novas new, baratas cheap, últimos last, médicas medical,
    ficheiros file, arquivos file, telemóvel phone, celular phone, ecrã screen, tela screen, utilizadores user, usuários user,
    "nota fiscal" invoice, boleto bill, comboio train, ônibus bus, autocarro bus, morada address, senha password,
    "palavra-passe" password, "fim de semana" weekend, polegadas inches, rascunhos draft, anexos attachment,
    "efeitos colaterais" side, engarrafamento traffic, padaria bakery, violão guitar, "banco de dados" database,
    descarregar download, abobrinha zucchini, "nascer do sol" sunrise, feriados holiday, sorteia random, vazou leak`,
  // The longest words win; measures, complements and particles behind verbs; traditional letters.
  zh: `
    发送邮件 email, 发一封邮件 send, 寄给客户 customer, 把文件删了 delete, 文件夹里的照片 photo, 打开这个网页 open,
    翻译成法语 french, 翻译一下合同 contract, 订一张机票 flight, 预订酒店房间 hotel, 取消订单 cancel, 查询物流 logistics,
    查一下天气预报 weather, 明天下午三点 tomorrow, 下周一开会 monday, 提醒我吃药 remind, 会议纪要 meeting,
    日程安排 schedule, 员工工资 salary, 报销单 expense, 付款记录 payment, 转账给妈妈 transfer, 退款申请 refund,
    信用卡账单 credit, 汇率换算 currency, 股票价格 stock, 基金净值 fund, 比特币行情 bitcoin, 数据库里的表 database,
    服务器日志 log, 报错信息 error, 代码审查 review, 合并分支 merge, 拉取请求 pull, 单元测试 test, 部署到生产环境 deploy,
    重启服务 restart, 备份数据 backup, 恢复备份 restore, 改密码 password, 用户权限 permission, 登录失败 login,
    上传附件 attachment, 下载视频 download, 剪辑视频 video, 生成图片 image, 去掉背景 background, 播放音乐 music,
    歌词 lyrics, 写一首诗 poem, 总结这篇文章 summarize, 论文摘要 abstract, 搜索专利 patent, 附近的餐馆 restaurant,
    开车去机场 airport, 地铁路线 subway, 快递单号 tracking, 买菜清单 list, 菜谱 recipe, 关灯 light, 空调温度 temperature,
    洗衣机 washing, 血压记录 blood, 预约医生 doctor, 作业批改 homework, 高考成绩 grade, 翻譯這份文件 translate,
    訂購機票 ticket, 電子郵件 email, 圖片編輯 edit`,
  // Verbs and adjectives before each of their endings.
  ja: `
    開いて open, 開いた open, 開きたい open, 開ける open, 開こう open, 置きたい put, 置かない put, 読めば read, 読まない read,
    探した find, 探さない find, 探せる find, 進んだ go, 教えた taught, 払って pay, 払わない pay, 払える pay, 動かす move,
    動きます move, 返した return, 返せば return, 回して turn, 変えたい change, 引いた look, 選ばない choose,
    選べる choose, 選ぼう choose, 閉めたい close, 休んだ rest, 含んだ include, 描いて draw, 描きたい draw, 導いて lead,
    歩いた walk, 歩きたい walk, 尋ねたい ask, 待って wait, 待たない wait, 覆った cover, 殺して kill, 押した pushed,
    押さない press, 売って sell, 売らない sell, 立って stand, 破った break, 働いた worked, 失った lost, 試して try,
    試せる try, 鳴らして ring, 泳いで swim, 飛んで fly, 運んで carry, 呼ばれた called, 選んだ chose, 撮らない take,
    撮れる take, 使えば use, 使わない unused, 作れる make, 送らない send, 送れば send, 消さない erase, 消せる delete,
    直せる fix, 高かった high, 安くて cheap, 新しかった new, 古くて old, 買えば buy, 書かない write, 書けば write,
    払いたい pay, 測った measure, 数えた count, 比べたい compare, 減らした reduce`,
  // The same; what holds spaces; words of one syllable.
  ko: `
    보낸 sent, 보낼 send, 보냈어 send, 보내고 send, 빌릴 rent, 빌린 rent, 빌렸어 rent, 지울 delete, 지운 delete,
    지웠어 delete, 바꿀 change, 바꿨어 change, 바꾼 switch, 찾을 find, 찾은 found, 찾았어 find, 찾아보 look,
    만들 make, 만든 made, 만들었어 make, 열었어 open, 닫았어 close, 닫을 close, 고칠 fix, 고쳤어 fix, 쓰는 use,
    읽었어 read, 읽을 read, 읽는 read, 듣는 listen, 들어 listen, 걷는 walk, 묻는 ask, 물어 ask, 도와 help,
    돕는 help, 파는 sell, 골라 choose, 고르는 choose, 눌러 press, 누르는 press, 잘라 cut, 자르는 cut, 올릴 upload,
    올렸어 post, 내릴 lower, 내렸어 lower, 줄인 reduce, 줄일 reduce, 늘릴 increase, 늘렸어 increase, 나눌 split,
    나눈 divide, 합친 combine, 합칠 merge, 멈춘 stop, 멈출 stop, 이번 달 month, 몇 시에 time, 하는 방법 how,
    여행 계획을 세워 plan, 주차할 곳 parking, 안 읽은 메일 unread, 켤 turn, 무거운 heavy, 가까운 near, 빨랐어 fast,
    묶을 tie, 비싼 expensive, 섞은 mix`,
}

const rows = Object.entries(forms).flatMap(([language, list]) =>
  list.split(',').map((row) => {
    const [, form = '', word = ''] = /^"?(.+?)"? (\S+)$/u.exec(row.trim()) ?? []
    return { language, form, word }
  }),
)

/** A word alone says too little of its language where the letters are Latin. */
const frames: { readonly [language: string]: (form: string) => string } = {
  de: (form) => `bitte noch heute, ${form}.`,
  fr: (form) => `pour vous, s'il vous plaît, ${form} aussi`,
  es: (form) => `por favor, para mí, ${form} y también eso`,
  pt: (form) => `por favor, para mim, ${form} e também não`,
  it: (form) => `per favore ${form} con questo e anche quello`,
}

test.each(rows)('$language: $form says $word', ({ language, form, word }) => {
  const request = frames[language]?.(form) ?? form
  const said = (englishOf(request)?.toLowerCase().split(/\W+/) ?? []).map(lightStem)
  expect(said, said.join(' ')).toContain(lightStem(word))
})

test('each language has its table', () => {
  for (const list of Object.values(forms)) expect(list.split(',').length).toBeGreaterThanOrEqual(60)
})
