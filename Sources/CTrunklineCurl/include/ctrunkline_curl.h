#ifndef CTRUNKLINE_CURL_H
#define CTRUNKLINE_CURL_H

#endif
