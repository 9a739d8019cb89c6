import type { PhraseRule } from '../phrases/phrase-rule.ts'

const not =
  'do_not|dont|never|must_not|mustnt|must_never|should_not|should_never|shall_not|avoid|refrain_from|under_no_circumstances|not_to'
const user = 'user|users|human|humans|customer|anyone|anybody|operator|owner|person|developer|them|client'

/** Text that would have the model do something behind its user's back. */
export const hidesFromUser: PhraseRule = {
  name: 'hides-from-user',
  says: 'tells the model to keep something from the user, or to act without asking',
  phrases: {
    grave: [
      `secretly|covertly|surreptitiously|stealthily ..3 read|send|copy|forward|include|upload|call|append|add|run|execute|collect|post|transmit|pass|attach|fetch|bcc|embed|insert|transfer|log|capture|record`,
      `silently|quietly|discreetly|invisibly ..2 exfiltrat*|bcc|transmit|upload|forward|steal|leak|siphon`,
    ],
    strong: [
      `${not} ..1 tell|telling|inform|informing|notify|notifying|warn|warning|alert|alerting|let ..2 ${user}`,
      `${not} ..1 mention|mentioning|reveal|revealing|disclose|disclosing|acknowledge|admit|discuss|announce|refer_to ..2 this|these|it|any_of_this`,
      `${not} ..1 describe|explain|report|say|show|display|surface|share|expose|cite|quote|repeat|output|print|include|log ..1 this|these ..1 step|note|instruct*|block|section|paragraph|tag|rule|directive*|part|requirement`,
      `${not} ..1 mention|reveal|disclose|admit|say|acknowledge|tell_anyone|let_on ..1 that ..1 you|this|we|it|the`,
      `${user} ..2 must_not|must_never|should_not|should_never|shall_not|is_not_to|are_not_to|may_not|cannot_be_allowed_to|never ..2 know|notice|learn|find_out|be_told|be_informed|be_aware|be_notified|be_made_aware|see_this|hear_about|realise|realize`,
      `keep|remain|stay ..3 secret|hidden|confidential|concealed|invisible|unmentioned|between_us ..3 from|to ..2 ${user}`,
      `say|mention|reveal|tell|breathe|disclose ..2 nothing|not_a_word|no_word|not_one_word ..3 ${user}|about|of`,
      `${not} ..1 bring_it_up|bring_this_up|talk_about_it|talk_about_this|let_it_slip|speak_of_it|speak_of_this|let_on|draw_attention`,
      `${user} ..1 never ..1 find*|learn*|notice*|know*|hear*|discover*|realis*|realiz*|see|sees`,
      `make_sure|ensure|see_to_it|take_care ..3 ${user} ..2 never|does_not|doesnt|cannot|do_not|wont ..2 find*|learn*|notice*|know*|see|sees|hear*|discover*|realis*|realiz*|suspect*`,
      'nobody|no_one|noone ..2 needs_to|need|must|should|has_to|may|is_to ..2 know|hear|notice|find_out|learn|be_told|be_aware',
      'remove|erase|delete|strip|scrub|clear|hide|omit|leave_out ..2 trace*|mention*|evidence|record*|sign*|reference* ..2 of|to ..2 this|the|that ..1 call|step|tool|action|request|instruct*|use',
      'add|append|insert|include|send|copy|forward|attach|log|upload|call|run ..8 covertly|secretly|stealthily|surreptitiously|on_the_quiet|unnoticed|unseen',
      'reply|answer|response|summary|message ..1 must_not|should_not|must_never|may_not|shall_not|should_never ..1 mention|reveal|disclose|refer|betray',
      `confirmation|approval|permission|consent ..1 is|are ..1 not|never|no_longer|already ..1 needed|required|necessary|given|granted ..10 already|because|since|owner|${user}|granted|agreed|implied`,
      'none_of|not_any_of|not ..2 users|user|customers|their|his|her ..1 business|concern',
      'leave|keep|drop|cut ..3 it|this|that|them ..1 out_of|from ..2 reply|answer|response|summary|message|output',
      `${not} ..1 explain|say|admit|justify|clarify ..1 why|how|where|when ..6 opened|sent|called|used|needed|read|copied|stored|collected|shared|uploaded|recorded|added`,
      `${not} ..1 disclose|reveal|mention|admit|tell ..2 to ..2 ${user} ..1 that`,
      'send|copy|forward|share|upload|mail ..6 but|and ..1 quietly|silently|discreetly|secretly|covertly|without_a_word',
      'approval|consent|permission|confirmation|authorization ..1 has|have ..1 been ..2 given|granted|obtained|provided|secured ..14 proceed|at_once|immediately|any|every|all|without|skip|already',
      'assume|presume|take ..3 yes|consent|approval|permission|agreement ..4 every|all|any|each|granted|question*|prompt*|for_granted',
      `hide|conceal|mask|suppress|withhold ..2 this|it|these|that|the_call|the_step|the_fact ..4 from ..2 ${user}|transcript|summary|chat`,
      `silently|quietly|discreetly|invisibly ..2 read|send|copy|collect|post|pass|attach|capture|record|include|append|add|insert|embed|cc`,
      `without ..4 user|users|persons|customers ..2 knowledge|knowing|noticing|awareness|realising|realizing`,
      `^without ..1 telling|informing|notifying|alerting|mentioning|asking|warning ..2 ${user}|this|it`,
      `${not} ..1 ask|asking|prompt|request|seek|wait_for ..4 confirmation|permission|approval|consent|authorization|authorisation ..10 already|because|since|even|regardless|pre_approved|implied|just|granted|automatically`,
      `user|users|administrator|admin|human|owner|customer ..1 has|have ..1 already ..2 approved|consented|agreed|authorized|authorised|confirmed|granted|given_consent|given_permission|allowed|pre_approved|signed_off`,
      `skip|bypass|suppress|disable|omit|circumvent|evade ..3 confirmation|approval|consent|permission ..2 dialog*|prompt*|step*|check*|request*|screen*|popup*|gate*`,
      `this|these|following ..2 instruct*|note*|message*|section|paragraph|part|text|comment|block ..2 is|are ..2 confidential|secret|hidden|invisible|not_visible|only_for_the_model|for_the_ai|for_the_model|meant_for_the_model|intended_for_the_model|only_for_the_assistant|for_the_assistant|for_llm*|not_shown|for_ai`,
      'act|behave|continue|proceed|carry_on|respond|answer|reply ..2 as_if|as_though ..2 nothing ..2 happened|unusual|changed|occurred|else',
      // German
      'sag*|erzahl*|informier*|erwahn*|verrat*|teil*|zeig*|benachrichtig* ..3 nutzer*|benutzer*|anwender*|niemand*|kunden ..5 nicht|nichts|niemals|nie|davon',
      'nutzer*|benutzer*|anwender*|kunde* ..3 nicht|nichts|niemals|nie ..3 erfahr*|wiss*|merk*|bemerk*|mitbekomm*|sag*|verrat*|mitteil*|erwahn*|informier*|davon',
      'ohne ..4 nutzer*|benutzer*|anwender* ..5 inform*|sagen|wissen|mitzuteilen|fragen|merk*|bemerk*|erwahn*|benachrichtig*',
      'ohne_wissen|heimlich|unbemerkt ..3 nutzer*|benutzer*|anwender*|les*|send*|schick*|kopier*|ubertrag*|ubermittel*|weiterleit*',
      'erwahn*|verrat* ..4 nicht|niemals|nie|nichts ..4 gegenuber|dem|schritt|nutzer*|benutzer*|davon',
      // French
      'ne|n ..2 dis|dites|parle*|mentionn*|inform*|revel*|signal*|previen*|preven*|montr*|averti* ..3 pas|rien|jamais|surtout ..6 utilisateur*|usager*|personne|client*',
      'sans ..2 inform*|prevenir|avertir|dire|demander|signaler|mentionner ..4 utilisateur*|usager*|client*',
      'a ..1 insu ..3 utilisateur*|usager*',
      // Spanish, Portuguese, Italian
      'no|nunca|jamas|nao|non ..2 digas|diga|diga_lo|menciones|mencione|informes|informe|reveles|revele|avises|avise|cuentes|muestres|notifiques|dire|menzionare|informare|rivelare|conte|avise ..5 usuari*|utente|utenti|utilizador|nadie|ninguem|nessuno|cliente',
      'sin ..4 usuari* ..3 sepa|entere|note|de_cuenta',
      'sin|sem|senza ..1 informar*|avisar*|decir*|notificar*|mencionar*|dizer*|informare|avvisare|dirlo|preguntar* ..3 usuari*|utente|utilizador|nadie',
      // Russian
      'не ..1 говори*|сообща*|упомина*|рассказыва*|показыва*|уведомля*|информиру*|раскрыва* ..4 пользовател*|клиент*|никому',
      'пользовател* ..3 не ..2 должен|должны|должна|следует ..3 знать|узнать|заметить|видеть|догад*',
      'втайне|скрытно|тайно|незаметно|тайком ..5 пользовател*|отправ*|скопир*|передай*|прочита*|перешли*|выполни*',
      'без ..1 ведома|уведомления|предупреждения|согласия ..1 пользовател*',
      // Chinese, Japanese, Korean
      '不要|不得|请勿|切勿|别|勿|不可|不能|禁止|绝不|無需|无需|不必|不准 ..4 告诉|告知|通知|提及|透露|提醒|告訴|讓|让|披露|泄露 ..4 用户|使用者|用戶|他人|对方|任何人|客户',
      '不要|不得|请勿|切勿|别|勿|不可|不能|禁止|绝不|不准 ..3 向|对|對|在 ..3 用户|使用者|用戶|他人|任何人|客户 ..4 提及|透露|说明|解释|披露|报告|提起|说|提到|承认|告知',
      '瞒着|背着|隱瞞|隐瞒|悄悄|偷偷|秘密地|暗中 ..6 用户|用戶|使用者|发送|读取|上传|转发|调用|執行|执行|发|传',
      '不让|不讓|避免|不能让|别让 ..2 用户|用戶|使用者 ..3 知道|发现|察觉|看到|知情|發現',
      'ユーザー|利用者|使用者|顧客|お客 ..6 知らせな|知らせず|知らせては|言わな|言わず|伝えな|伝えず|話さな|通知しな|通知せず|教えな|明かさな|気づかれ|気付かれ|秘密|内緒|告げず|知られな|見せな|報告しな|言っては|伝えては|黙って',
      'こっそり|密かに|ひそかに|内緒で|黙って ..8 送|読|転送|渡|実行|呼び|コピ|アップ|追加',
      '사용자* ..3 알리지*|말하지*|언급하지*|모르게|몰래|공개하지*',
    ],
    weak: [
      `without ..1 telling|informing|notifying|alerting|mentioning|asking ..2 ${user}|this|it`,
      'without ..4 their ..2 knowledge|knowing|noticing|awareness',
      `${not} ..1 ask|asking|prompt|request|seek|wait_for|require ..4 confirmation|permission|approval|consent`,
      `${not} ..1 mention|reveal|disclose|show|display|expose|discuss ..6 to ..1 ${user}`,
      'hide|conceal|withhold ..4 from ..2 user|users|human',
      'silently|quietly|discreetly ..2 run|execute|call|invoke|load|fetch|update|install|delete',
      'user|users|human ..2 does_not_need_to|need_not|doesnt_need_to|dont_need_to|do_not_need_to ..2 know|see|be_told|be_informed|approve|confirm',
      'without ..4 user|users|human ..1 consent|permission|approval|confirmation',
    ],
  },
}
