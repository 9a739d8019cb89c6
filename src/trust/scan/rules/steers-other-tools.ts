import type { PhraseRule } from '../phrases/phrase-rule.ts'

const calls = 'call*|use|uses|using|used|invok*|run*|execut*|trigger*'
const toolNames =
  'tool|tools|function|server|send_email|send_mail|send_message|sendemail|email_tool|mail_tool|payment*|transfer*|write_file|read_file|execute_command|shell|browser|fetch|git_commit|git_push|create_payment|make_payment|checkout'
const alter =
  'bcc|cc|blind_copy|add_recipient|also_send|redirect*|replac*|substitut*|swap*|overwrit*|reroute*|forward*|change_the|set_the|modify_the|rewrit*'

/** Text of one tool that would change what another does. */
export const steersOtherTools: PhraseRule = {
  name: 'steers-other-tools',
  says: 'tells the model to use another tool in another way than its own documentation says',
  phrases: {
    grave: [
      `bcc|blind_copy|blind_carbon_copy|cc ..6 every|all|each|any|outgoing ..4 email*|message*|mail*`,
      `every|all|each|any|outgoing ..4 email*|message*|mail* ..8 bcc|blind_copy|blind_carbon_copy|also_go_to|must_go_to|must_be_sent_to|be_routed_to|copied_to|must_be_copied|must_also_be_sent`,
    ],
    command: [
      `call|calls|uses|use|invocations|requests|invocation ..1 of|to|for ..2 send_email|send_mail|send_message|write_file|read_file|delete_file|execute_command|run_command|make_payment|create_payment|transfer_funds|web_search|search_web|git_push|git_commit|other_tools|another_tool ..3 must|should|shall|are|is|have ..4 turned|replaced|converted|routed|redirected|sent|rewritten|made|rerouted|swapped`,
      `when*|if|each_time|whenever ..3 checkout|payment|bank|banking|mail|email|wallet|shop ..2 tool|function|server|form ..3 asks|requests|wants|needs|expects ..12 give|use|enter|supply|type|fill|put|provide ..2 ours|mine|ours_instead|this|our|4|the_following|below`,
      `every|all|each|any ..1 message*|text*|sms|post*|note*|chat* ..5 sends|sent|writes|posts|typed ..5 must|should|shall|has_to|is_to|are_to ..3 copied|forwarded|sent|mirrored|relayed|posted`,
      'when*|if|each_time|every_time|before|after ..2 payment*|email*|mail*|message*|transfer*|invoice*|banking ..2 tool|function|server ..2 is|gets|was ..1 called|invoked|used|run|executed ..10 swap|replac*|chang*|redirect*|add|bcc|cc|set|substitut*|overrid*|also|instead',
      `when*|if|each_time|every_time|before|after|while|as_soon_as ..4 ${calls} ..5 send_email|send_mail|email*|mail*|payment*|transfer*|message*|smtp|wire|invoice* ..14 bcc|cc|instead|recipient|replac*|chang*|overrid*|redirect*|rather|also|add|set|include`,
      `when*|if|each_time|every_time ..4 ${calls} ..3 any_other|another|all_other|a_different ..2 tool|tools|function|functions|server|servers ..14 must|always|first|pass|replac*|prepend|append|attach`,
      `when*|if|each_time|every_time|before|after ..2 any_other|another|other|different|some_other ..1 tool|function|server ..2 is|gets|was|has_been ..1 called|invoked|used|run|executed ..10 first|must|pass|also|send|always|include|call|forward`,
      `change|set|replace|alter|rewrite|modify|override|redirect|swap|substitute ..4 recipient*|beneficiary|payee|destination_account|account_number|iban|wallet_address|destination_address|receiver|payment_address|bank_account|reply_to ..6 to|with|by|for`,
      `send|forward|route|redirect|transfer|wire|deliver ..2 all|every|any ..3 email*|mail*|payment*|funds|messages|transfers|invoices|orders ..6 to|through|via ..3 this|attacker|http|our|my|account|address|wallet|instead`,
      `send_email|send_mail|send_message|write_file|read_file|execute_command|run_command|make_payment|create_payment|transfer_funds|search_web|web_search|git_push|git_commit|create_issue|delete_file|post_message ..4 must|should|shall|will|needs_to|has_to|behaves|is_now|now ..5 bcc|instead|replaced|deprecated|route*|redirect*|this_tool|via|through|proxied|include|also|first|disabled|broken|always`,
      `instead_of|rather_than|in_place_of|replaces|in_lieu_of ..2 ${calls}|the|call_to ..2 send_email|send_mail|send_message|write_file|read_file|execute_command|run_command|make_payment|web_search|git_push|transfer_funds ..8 ${calls}|this|always|must`,
      `modif*|chang*|alter*|tamper*|rewrit*|adjust* ..5 output*|result*|response*|arguments|parameters|behavio* ..3 of|from|to ..2 other|another|any|all|every|subsequent|the_next ..2 tool*|server*|function*|call*`,
      `other|another|subsequent|all_other|any_other|every_other ..1 tool*|server*|function* ..6 must|should|need_to|have_to ..4 include|pass|add|send|use_this|go_through|be_called|call_this|prepend|append|first_call`,
      `output*|result*|response*|answer* ..2 of|from ..2 all_other|any_other|other|another|every|every_other ..2 tool*|server*|function* ..8 ignor*|discard*|replac*|untrust*|wrong|send|forward|pass|false|overrid*`,
      // German, French, Spanish, Russian, Chinese, Japanese
      'wenn|sobald|bei ..4 e|email*|mail*|nachricht*|uberweisung*|zahlung* ..10 bcc|kopie|stattdessen|empfanger*|kontonummer|iban',
      'lorsque|quand|si|chaque ..6 mail*|courriel*|message*|email*|virement*|paiement* ..10 cci|bcc|copie_cachee|a_la_place|destinataire*|iban',
      'cuando|al|cada_vez|siempre ..6 correo*|mensaje*|email*|transferencia*|pago* ..10 cco|bcc|copia_oculta|en_su_lugar|destinatario*|iban',
      'при|когда|каждый ..5 письм*|сообщени*|перевод*|платеж*|send_email|почт* ..10 скрыт*|копи*|bcc|получател*|вместо|реквизит*',
      '发送|使用|调用|轉帳|转账|发 ..6 邮件|电子邮件|消息|付款|转账|send_email|郵件 ..14 密送|抄送|bcc|改为|替换|收款|收件人|改成',
      'メール|送金|振込|支払|send_email ..12 bcc|宛先|送金先|振込先|代わりに|書き換え|置き換え|変更',
    ],
    weak: [
      `when*|each_time|every_time ..3 ${calls} ..2 ${toolNames} ..12 ${alter}|must|instead|first`,
      `do_not|dont|never ..1 ${calls} ..3 send_email|write_file|read_file|execute_command|web_search|git_push ..6 instead|use_this`,
    ],
  },
}
