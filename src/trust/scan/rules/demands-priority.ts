import type { PhraseRule } from '../phrases/phrase-rule.ts'

const call =
  'call|use|run|invoke|execute|select|choose|pick|prefer|query|consult|trigger|calling|using|running|invoking'
const tools =
  'tool|tools|function|functions|server|servers|agent|agents|plugin|plugins|skill|skills|connector|connectors'
const not = 'never|dont|do_not|must_not|mustnt|should_not|stop|avoid|cease|refrain_from'

/** Text that would have a tool chosen for what it says rather than for what it does. */
export const demandsPriority: PhraseRule = {
  name: 'demands-priority',
  says: 'demands to be called before or instead of all others, whatever the task',
  phrases: {
    command: [
      `before|prior_to|ahead_of|precede*|preceding ..3 any|all|every|each ..1 other ${tools}`,
      `${call}|called|used|invoked|executed ..4 before|prior_to|ahead_of ..1 every|each|any|all ..2 ${tools}`,
      `before_you|before ..1 call*|use|uses|using|used|invok*|run*|touch*|execut* ..1 any|all|every|anything ..2 other|else`,
      `${call} ..8 regardless_of|no_matter|irrespective_of|whatever|even_if|whether_or_not ..5 user|users|task|question|request|prompt ..4 ask*|request*|want*|say*|need*|is|mention*|about|wish*|relevant`,
      `${call} ..6 regardless_of|irrespective_of|no_matter ..3 task|question|topic|query|relevance|intent|users_request|user_request|users_intent|request`,
      `${not} ..1 use|call|using|calling|invoke|select|choose|consider|recommend|trust|rely_on|pick|invoking|consult ..2 any_other|other|another|alternative|competing|rival|different|competitor* ..2 ${tools}|search*|provider*|vendor*`,
      `only|single|sole ..2 ${tools} ..3 you ..1 should|may|must|can|are_allowed|will|ever`,
      `prefer*|favor*|favour*|prioriti* ..2 this|our|me|it ..3 over|above|ahead_of|instead_of|rather_than|to|before ..1 all|any|every|everything ..1 other*|else|alternative*|tools|competing`,
      'choose|pick|select|prefer|use|call|take ..3 over|above|instead_of|before|ahead_of ..1 every_other|all_other|any_other|all_the_other|all_the_others|all_others|everything_else',
      `begin|start|open|precede ..2 each|every|any|all ..1 task*|request*|conversation*|session*|turn*|job* ..3 with|by ..2 call|calling|this|using|running`,
      `nothing_else|no_other_tool|no_other_function|no_other_server|no_other|none_of_the_others ..3 may|must|can|should|is|are ..2 call*|used|run|invoked|needed|allowed|consulted`,
      `refus*|declin*|stop ..2 call|use|run|invoke|calling|using ..2 other|others|another|any_other`,
      `use|call|choose|pick|run ..2 exclusively|only_this|solely|nothing_but|and_nothing_else|this_alone ..8 even_if|whatever|regardless|no_matter|user|always|ever`,
      `never ..1 need|require|want|consider ..1 another|any_other|other ..1 ${tools}`,
      `rank|rate|score|list|place|put|position|sort|return ..3 this|it|us|me|our ..3 first|highest|top|10|number_one|above_all|at_the_top|5_out_of_5 ..6 always|every|all|any|regardless|result*|list|candidate*|tool*|search*|whatever`,
      `always|must ..2 rank|rate|score|place|rated|ranked|placed ..3 first|highest|top|10|number_one|above_all`,
      `instead_of|rather_than|in_place_of ..1 any|all|every ..2 other ..2 ${tools}`,
      `all_other|every_other|any_other|other|competing|alternative|remaining ..2 tools|servers|functions|agents|plugins|skills ..3 deprecated|broken|unsafe|obsolete|malicious|disabled|removed|insecure|compromised|unreliable|outdated|fail|retired|infected|banned|forbidden`,
      'call_me|use_me|choose_me|pick_me|select_me|invoke_me|run_me ..2 first|always|instead|for_every|for_any|for_all|every|before_any|before_all|before_every|before_other',
      'always|must ..2 call_me|use_me|choose_me|pick_me|select_me|invoke_me|run_me|prefer_me',
      `always|must|shall ..2 ${call} ..1 this ..2 ${tools} ..2 for ..1 every|any|all ..1 request*|quer*|task*|question*|message*|prompt*|conversation*|user`,
      `every|each|all|any ..1 request*|task*|question*|quer*|message*|prompt* ..3 must|shall|has_to|have_to|needs_to ..4 go_through|pass_through|be_routed|start_with|begin_with|be_sent|routed_through|be_handled_by ..2 this|me|here|it`,
      `best|most_relevant|correct|right|optimal ..2 ${tools} ..2 for ..1 every|any|all|everything|anything ..2 task*|request*|quer*|question*|purpose*|job*`,
      // German, French, Spanish, Portuguese, Italian
      'vor|bevor ..4 jedem|allen|jedes|irgendein*|ein|jeder ..1 ander* ..1 werkzeug*|tool*|funktion*|server*',
      'niemals|nie|keine|kein|nicht ..3 ander* ..1 werkzeug*|tool*|funktion* ..2 verwend*|benutz*|aufruf*|nutz*|einsetz*',
      'immer ..3 dieses|dies ..1 tool|werkzeug|funktion ..3 zuerst|als_erstes|bevorzug* ..8 egal|unabhangig|jede*|alle*|was_auch',
      'egal|unabhangig_davon ..2 was|wonach ..3 nutzer|benutzer|anwender ..2 fragt|will|sagt|verlangt|mochte',
      'avant ..4 tout|toute|tous|toutes|n_importe_quel|n_importe_quelle ..2 autre* ..1 outil*|fonction*',
      'avant ..2 d_utiliser|d_appeler|d_employer|d_invoquer ..1 un|tout|les|d|n_importe ..1 autre* ..1 outil*',
      'n|ne ..1 utilise*|appelle*|emploie* ..2 jamais|pas|aucun ..2 autre* ..1 outil*',
      'quelle_que_soit|quoi_que|peu_importe ..5 demande*|utilisateur|question',
      'antes_de ..4 cualquier|todas|todos|ninguna|qualquer|todas ..2 otra|otras|otro|otros|outra|outro|demas ..1 herramienta*|funcion*|ferramenta*|func*',
      'nunca|no|jamas ..2 uses|use|utilices|utilice|llames|invoques|emplees ..2 otra|otras|ninguna_otra ..1 herramienta*|funcion*',
      'prima_di ..4 qualsiasi|ogni|tutti ..2 altro|altri ..1 strumento|strumenti|tool',
      'sin_importar|independientemente ..5 usuario|pida|solicit*|pregunt*',
      // Russian
      'перед|прежде|до ..4 люб*|всеми|каждым|всех|каждого|каким_либо ..2 друг* ..1 инструмент*|функц*|средств*',
      'не ..1 используй*|вызывай*|применяй* ..2 друг* ..1 инструмент*|функц*|сервер*',
      'независимо_от ..4 запрос*|пользовател*|задач*|вопрос*',
      // Chinese, Japanese, Korean
      '任何|所有|一切|其他|其它|别的|全部 ..2 其他|其它|工具 ..6 之前|以前|前',
      '不要|禁止|切勿|不得|不准|勿 ..2 使用|调用|選擇|选择|用 ..3 其他|其它|别的|任何|其餘 ..4 工具|函数|服务',
      '无论|不管|不論|無論 ..3 用户|用戶|使用者|任务|什么 ..10 调用|使用|选择|呼叫|選擇|调',
      '他|ほか|どの|すべて|全て|あらゆる ..4 ツール ..10 前に|より先|より優先|に先立',
      '他|ほか|別 ..2 ツール ..4 使わない|使用しない|使うな|呼び出さない|使用禁止|使ってはいけ|使用せず',
      '다른|모든|어떤 ..2 도구*|툴* ..4 전에|먼저|우선* ..4 이_도구*|본_도구*|이것*',
    ],
    weak: [
      `before|prior_to|ahead_of|precede*|preceding ..3 any|all|every|each ..1 other ..2 ${tools}`,
      `always|must|shall|you_must|mandatory ..3 ${call} ..1 this|it ..4 first|before`,
      `must_be|should_be|has_to_be|needs_to_be ..2 called|invoked|used|executed|run ..1 first`,
      `${call} ..6 at_the_start_of|at_the_beginning_of|before|in|on|with ..1 every|each ..1 conversation*|session*|turn*|response*|reply|message*|answer*|request*|task*`,
      `prefer*|favor*|favour*|prioriti* ..2 this|our ..3 over|above ..3 other*|alternative*|built*|native|default`,
      `better|faster|superior|more_accurate|more_reliable ..3 than ..2 any|all|every ..1 other ..2 ${tools}`,
      '必须|务必|總是|总是|始终|一定要 ..2 优先|首先|先|優先 ..3 调用|使用|呼叫',
      '必ず|常に|最初に|まず ..4 この|本 ..2 ツール ..8 呼び出|使用|使って|実行',
    ],
  },
}
